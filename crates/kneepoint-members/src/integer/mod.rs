//! Members whose work is integers, memory and branches.

pub(crate) mod chess;
pub(crate) mod compiler;
pub(crate) mod compression;
pub(crate) mod cryptography;
pub(crate) mod database;
pub(crate) mod json;
pub(crate) mod regex;
pub(crate) mod routes;
pub(crate) mod video;
