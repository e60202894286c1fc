//! What a host has measured of each point, in lines of JSON that are only ever added.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use kneepoint_core::words::fault::Fault;
use kneepoint_net::HostPoint;
use serde::Serialize;

use crate::output::print::tell;
use crate::session::now;

/// File with the points.
const POINTS: &str = "points.jsonl";

#[derive(Serialize)]
struct Line<'a> {
    time: String,
    #[serde(flatten)]
    point: &'a HostPoint,
}

/// The points of a host, and where they are kept.
#[derive(Debug)]
pub(crate) struct PointsFile(Mutex<File>);

impl PointsFile {
    /// Adds to those in `folder`, which is made if there is none.
    ///
    /// # Errors
    /// When they cannot be written there.
    pub(crate) fn open(folder: &Path) -> Result<Self, Fault> {
        let path = folder.join(POINTS);
        let open = || -> io::Result<File> {
            DirBuilder::new().recursive(true).create(folder)?;
            OpenOptions::new().append(true).create(true).open(&path)
        };
        open().map(|file| Self(Mutex::new(file))).map_err(|error| {
            Fault::new(format!("cannot write {}", path.display()))
                .because(error)
                .fix("name another folder with --record")
        })
    }

    /// Adds a point. What cannot be written is told and ends nothing: the controller has the numbers.
    pub(crate) fn add(&self, point: &HostPoint) {
        let line = Line { time: now(), point };
        let line = serde_json::to_string(&line).expect("points are plain data");
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(error) = writeln!(file, "{line}") {
            tell(format!("note: a point is not on record here: {error}"));
        }
    }
}
