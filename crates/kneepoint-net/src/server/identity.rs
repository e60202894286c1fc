//! What a server shows to those who connect: a certificate and its key, kept in two files.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use kneepoint_core::words::fault::Fault;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;

use super::write_private;
use crate::bus::Fingerprint;

/// What a server shows to those who connect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerIdentity {
    /// File with the certificate, in PEM.
    pub(super) certificate: PathBuf,
    /// File with its key, in PEM: a secret.
    pub(super) key: PathBuf,
    /// The fingerprint of the certificate.
    pub fingerprint: Fingerprint,
}

impl ServerIdentity {
    /// The one in `folder`, which no one else should be able to read; a new one, signed by itself, if there
    /// is none: clients know it by its fingerprint.
    ///
    /// # Errors
    /// When it cannot be read, made or written.
    pub fn kept_in(folder: &Path) -> Result<Self, Fault> {
        let [certificate, key] = ["identity.pem", "identity.key"].map(|name| folder.join(name));
        let fingerprint = match (read(&certificate)?, key.exists()) {
            (Some(text), true) => fingerprint_of(&text)?,
            _ => {
                let made = rcgen::generate_simple_self_signed(["kneepoint".to_owned()])
                    .map_err(|error| Fault::new("cannot make a certificate").because(error))?;
                write_private(&key, &made.signing_key.serialize_pem())?;
                write_private(&certificate, &made.cert.pem())?;
                Fingerprint::of(made.cert.der())
            }
        };
        Ok(Self { certificate, key, fingerprint })
    }
}

/// The text of a file; nothing if there is none.
fn read(path: &Path) -> Result<Option<String>, Fault> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Fault::new(format!("cannot read {}", path.display())).because(error)),
    }
}

fn fingerprint_of(certificate: &str) -> Result<Fingerprint, Fault> {
    let der = CertificateDer::from_pem_slice(certificate.as_bytes()).map_err(|error| {
        Fault::new("the certificate of the fleet's server cannot be read")
            .because(error)
            .fix("remove it, and let the hosts join again")
    })?;
    Ok(Fingerprint::of(&der))
}
