//! The client side of the remote framebuffer protocol (RFC 6143), with the fences and continuous updates of
//! TigerVNC. Bytes in, bytes out: no socket, no clock.

mod client;
mod decode;
mod des;
mod zrle;

#[cfg(test)]
mod tests;

pub use client::Client;
#[cfg(test)]
pub(crate) use des::vnc_response;
