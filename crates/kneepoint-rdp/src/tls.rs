//! The encryption below RDP, and whom it trusts.

use std::io::{Read, Write};
use std::sync::Arc;

use kneepoint_core::words::fault::Fault;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    CertificateError, ClientConfig, ClientConnection, DigitallySignedStruct, Error, SignatureScheme,
};
use sha2::{Digest, Sha256};

/// Which certificate of a server is trusted. Servers of desktops sign theirs themselves, so there is no authority
/// to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trust {
    /// Whatever it shows: whoever stands between reads the password.
    Any,
    /// The one with this SHA-256 digest.
    Digest([u8; 32]),
}

/// An encrypted connection as its client sees it.
pub(crate) struct Tls {
    connection: ClientConnection,
}

impl Tls {
    /// One to `host`, before its first byte.
    ///
    /// # Errors
    /// When the host cannot be named in a certificate.
    pub(crate) fn new(host: &str, trust: Trust) -> Result<Self, Fault> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let verifier = Verifier { trust, provider: Arc::clone(&provider) };
        let config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| broken(&error))?
            .dangerous()
            .with_custom_certificate_verifier(Arc::new(verifier))
            .with_no_client_auth();
        let name = ServerName::try_from(host.to_owned())
            .map_err(|error| Fault::new(format!("{host} is no name of a host")).because(error))?;
        let connection =
            ClientConnection::new(Arc::new(config), name).map_err(|error| broken(&error))?;
        Ok(Self { connection })
    }

    /// Takes what came encrypted; gives what it says.
    ///
    /// # Errors
    /// When it is not what it should be, or the certificate is not trusted.
    pub(crate) fn open(&mut self, mut bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let mut plain = Vec::new();
        while !bytes.is_empty() {
            self.connection.read_tls(&mut bytes).map_err(|error| broken(&error))?;
            let state = self.connection.process_new_packets().map_err(|error| broken(&error))?;
            let start = plain.len();
            plain.resize(start + state.plaintext_bytes_to_read(), 0);
            self.connection
                .reader()
                .read_exact(&mut plain[start..])
                .map_err(|error| broken(&error))?;
        }
        Ok(plain)
    }

    /// Takes what is to be said.
    ///
    /// # Errors
    /// When the connection has failed.
    pub(crate) fn say(&mut self, plain: &[u8]) -> Result<(), Fault> {
        self.connection.writer().write_all(plain).map_err(|error| broken(&error))
    }

    /// The encrypted bytes that are to be sent.
    ///
    /// # Errors
    /// When the connection has failed.
    pub(crate) fn take_output(&mut self) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        while self.connection.wants_write() {
            self.connection.write_tls(&mut bytes).map_err(|error| broken(&error))?;
        }
        Ok(bytes)
    }
}

fn broken(error: &dyn std::error::Error) -> Fault {
    Fault::new("the encryption to the desktop server failed")
        .because(error)
        .fix("look whether it speaks RDP with TLS, and whether its certificate is the one named")
}

/// Judges a server by its certificate alone.
#[derive(Debug)]
struct Verifier {
    trust: Trust,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let is_trusted = match self.trust {
            Trust::Any => true,
            Trust::Digest(digest) => *Sha256::digest(certificate) == digest,
        };
        match is_trusted {
            true => Ok(ServerCertVerified::assertion()),
            false => Err(CertificateError::ApplicationVerificationFailure.into()),
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        let known = &self.provider.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
