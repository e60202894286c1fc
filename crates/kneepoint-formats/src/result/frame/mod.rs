//! Runs as tables for data frames: a row per point, or per interval of every point.
//!
//! A frame knows what each column holds, so [`csv`] and [`parquet`] write the same names and values;
//! `docs/formats.md` describes them.

mod columns;
pub mod csv;
pub mod parquet;

use std::collections::{BTreeMap, BTreeSet};

use kneepoint_core::result::{PointResult, READ, RunDocument, WRITE};

use columns::{Column, Field, INTERVAL, INTERVAL_CLASS, ORIGIN, OriginField, POINT, POINT_CLASS};

/// A table by its columns, all of which have as many values as there are rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// In their order.
    pub columns: Vec<FrameColumn>,
    /// Number of rows.
    pub rows: usize,
}

/// A column of a [`Frame`].
#[derive(Debug, Clone, PartialEq)]
pub struct FrameColumn {
    /// The name, such as `latency_mean_ms`: its end is the unit.
    pub name: String,
    /// Its values.
    pub values: FrameValues,
}

/// The values of a column, a row after the other.
#[derive(Debug, Clone, PartialEq)]
pub enum FrameValues {
    /// Texts.
    Text(Vec<String>),
    /// Counts, where they are known.
    Whole(Vec<Option<u64>>),
    /// Numbers, where they are known.
    Number(Vec<Option<f64>>),
}

/// One row per point.
pub fn points(document: &RunDocument) -> Frame {
    let rows = document.points.iter().map(|point| (point, point, &point.classes));
    frame(document, (POINT, POINT_CLASS), &rows.collect::<Vec<_>>())
}

/// One row per interval of every point.
pub fn intervals(document: &RunDocument) -> Frame {
    let rows = document.points.iter().flat_map(|point| {
        point.intervals.iter().map(move |interval| (point, interval, &interval.classes))
    });
    frame(document, (INTERVAL, INTERVAL_CLASS), &rows.collect::<Vec<_>>())
}

/// What a row is made of: the point, what is measured, and that by response classes.
type Row<'a, R, C> = (&'a PointResult, &'a R, &'a BTreeMap<String, C>);

fn frame<R, C>(
    document: &RunDocument,
    (columns, class_columns): (&[Column<R>], &[Column<C>]),
    rows: &[Row<'_, R, C>],
) -> Frame {
    let origin = ORIGIN.iter().map(|(name, field)| FrameColumn {
        name: (*name).to_owned(),
        values: origin_values(field, document, rows),
    });
    let plain = columns.iter().map(|(name, field)| FrameColumn {
        name: (*name).to_owned(),
        values: values(field, rows.iter().map(|(_, measured, _)| Some(*measured))),
    });
    let classes = classes(document);
    let of_classes = classes.iter().flat_map(|class| {
        class_columns.iter().map(move |(name, field)| FrameColumn {
            name: format!("{class}_{name}"),
            values: values(field, rows.iter().map(|(_, _, classes)| classes.get(*class))),
        })
    });
    Frame { columns: origin.chain(plain).chain(of_classes).collect(), rows: rows.len() }
}

fn origin_values<R, C>(
    field: &OriginField,
    document: &RunDocument,
    rows: &[Row<'_, R, C>],
) -> FrameValues {
    let origins = rows.iter().map(|(point, _, _)| (document, *point));
    match field {
        OriginField::Text(text) => FrameValues::Text(origins.map(text).collect()),
        OriginField::Whole(count) => {
            FrameValues::Whole(origins.map(|origin| Some(count(origin))).collect())
        }
        OriginField::Number(number) => {
            FrameValues::Number(origins.map(|origin| Some(number(origin))).collect())
        }
    }
}

/// The values of a field; there is none where nothing was measured.
fn values<'a, R: 'a>(
    field: &Field<R>,
    measured: impl Iterator<Item = Option<&'a R>>,
) -> FrameValues {
    match field {
        Field::Text(text) => {
            FrameValues::Text(measured.map(|of| of.map_or_else(String::new, text)).collect())
        }
        Field::Whole(count) => FrameValues::Whole(measured.map(|of| of.and_then(count)).collect()),
        Field::Number(number) => {
            FrameValues::Number(measured.map(|of| of.and_then(number)).collect())
        }
    }
}

/// The response classes that have columns: those of all points, and those of storage if any point
/// is of storage.
fn classes(document: &RunDocument) -> BTreeSet<&str> {
    let is_storage = document.points.iter().any(|point| point.storage.is_some());
    let of_storage = [READ, WRITE].into_iter().filter(|_| is_storage);
    let measured = document.points.iter().flat_map(|point| point.classes.keys());
    of_storage.chain(measured.map(String::as_str)).collect()
}
