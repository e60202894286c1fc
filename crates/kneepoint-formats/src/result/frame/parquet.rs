//! Frames as Apache Parquet, uncompressed, in one group of rows.

use std::io::Write;
use std::sync::Arc;

use kneepoint_core::words::fault::Fault;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::{Frame, FrameColumn, FrameValues};

/// The frame as a file of Parquet: texts as strings, counts as 64-bit integers, numbers as doubles; what is not
/// known is null.
///
/// # Errors
/// When it has no form in Parquet.
pub fn write(frame: &Frame) -> Result<Vec<u8>, Fault> {
    file(frame).map_err(|error| Fault::new("cannot write the rows as Parquet").because(error))
}

fn file(frame: &Frame) -> Result<Vec<u8>, ParquetError> {
    let fields = frame.columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("schema").with_fields(fields).build()?);
    let properties = WriterProperties::builder()
        .set_created_by(format!("kneepoint {}", env!("CARGO_PKG_VERSION")))
        .build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, schema, Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for column in &frame.columns {
        match &column.values {
            FrameValues::Text(texts) => {
                let texts = texts.iter().map(|text| ByteArray::from(text.as_str()));
                write_column::<ByteArrayType, _>(&mut group, (&texts.collect::<Vec<_>>(), None))?;
            }
            FrameValues::Whole(counts) => {
                let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
                let known: Vec<i64> = counts.iter().copied().flatten().map(signed).collect();
                let levels = levels(counts);
                write_column::<Int64Type, _>(&mut group, (&known, Some(&levels)))?;
            }
            FrameValues::Number(numbers) => {
                let known: Vec<f64> = numbers.iter().copied().flatten().collect();
                let levels = levels(numbers);
                write_column::<DoubleType, _>(&mut group, (&known, Some(&levels)))?;
            }
        }
    }
    group.close()?;
    writer.close()?;
    Ok(bytes)
}

/// What the schema says of a column.
fn field(column: &FrameColumn) -> Result<TypePtr, ParquetError> {
    let (physical, logical, repetition) = match &column.values {
        FrameValues::Text(_) => {
            (Physical::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED)
        }
        FrameValues::Whole(_) => (Physical::INT64, None, Repetition::OPTIONAL),
        FrameValues::Number(_) => (Physical::DOUBLE, None, Repetition::OPTIONAL),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    let field = builder.with_logical_type(logical).with_repetition(repetition).build()?;
    Ok(Arc::new(field))
}

/// The levels of definition: 1 where there is a value, 0 where it is null.
fn levels<T>(values: &[Option<T>]) -> Vec<i16> {
    values.iter().map(|value| i16::from(value.is_some())).collect()
}

/// Writes the next column: the values that are there, and for one that may be null which these are.
fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    (values, levels): (&[T::T], Option<&[i16]>),
) -> Result<(), ParquetError> {
    if let Some(mut column) = group.next_column()? {
        column.typed::<T>().write_batch(values, levels, None)?;
        column.close()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    fn column(name: &str, values: FrameValues) -> FrameColumn {
        FrameColumn { name: name.to_owned(), values }
    }

    #[test]
    fn what_is_written_is_read_again_and_what_is_not_known_is_null() {
        let frame = Frame {
            columns: vec![
                column("series", FrameValues::Text(vec!["=a".to_owned(), "b,\"ä".to_owned()])),
                column("operations", FrameValues::Whole(vec![Some(u64::MAX), None])),
                column("rate", FrameValues::Number(vec![None, Some(0.1)])),
            ],
            rows: 2,
        };
        let reader = SerializedFileReader::new(bytes::Bytes::from(write(&frame).unwrap())).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), 2);
        let rows: Vec<_> = reader.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(
            (rows[0].get_string(0).unwrap().as_str(), rows[0].get_long(1).unwrap()),
            ("=a", i64::MAX)
        );
        assert!(rows[0].get_double(2).is_err() && rows[1].get_long(1).is_err());
        assert_eq!(
            (rows[1].get_string(0).unwrap().as_str(), rows[1].get_double(2).unwrap()),
            ("b,\"ä", 0.1)
        );
    }

    #[test]
    fn a_run_without_points_is_a_file_without_rows() {
        let frame =
            Frame { columns: vec![column("rate", FrameValues::Number(Vec::new()))], rows: 0 };
        let reader = SerializedFileReader::new(bytes::Bytes::from(write(&frame).unwrap())).unwrap();
        assert_eq!(reader.get_row_iter(None).unwrap().count(), 0);
    }
}
