//! How long a command took, and what it did meanwhile.

use std::{
    fs,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use portalgen_base::{
    diagnostic::Diagnostic,
    system,
    text::text,
    timing::{Clock, Timing, processor_time},
};

use super::{args::MeasuringArguments, failure::Failure, shown::visible};

/// Takes the time of a command.
pub(super) struct Measuring<'a> {
    arguments: &'a MeasuringArguments,
    start: Instant,
    pub(super) clock: Clock,
}

impl<'a> Measuring<'a> {
    /// Begins as the command does.
    pub(super) fn begin(arguments: &'a MeasuringArguments) -> Self {
        let is_detailed = arguments.timings || arguments.trace.is_some();
        let clock = if is_detailed { Clock::with_details() } else { Clock::default() };
        Self { arguments, start: Instant::now(), clock }
    }

    /// Since the beginning.
    pub(super) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// What people want to know about the stages, if they do.
    pub(super) fn human(&self) -> Option<String> {
        self.arguments.timings.then(|| table(&self.rows()))
    }

    /// Adds the same for programs to a result.
    pub(super) fn add_to(&self, result: &mut Value) {
        let rows = self.rows();
        result["milliseconds"] = object(rows.iter().map(|row| (row.stage.as_str(), Some(row.time))));
        if self.arguments.timings {
            result["processorMilliseconds"] = object(rows.iter().map(|row| (row.stage.as_str(), row.processor)));
        }
    }

    /// Writes the trace, if one is asked for. A command that has failed has one, too.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write_trace(&self) -> Result<(), Failure> {
        let Some((file, trace)) = self.arguments.trace.as_ref().zip(self.clock.trace()) else { return Ok(()) };
        fs::write(file, trace.to_string()).map_err(|error| {
            let (file, error) = (visible(&file.display().to_string()), system::explain(&error));
            Failure::other(Diagnostic::error(text!(
                "cannot write the trace to `{file}`: {error}",
                "无法把跟踪记录写入 `{file}`：{error}",
                error
            )))
            .without_outcome()
        })
    }

    /// The stages, and the whole: of processors, all that the process had.
    fn rows(&self) -> Vec<Timing> {
        let (time, processor) = (self.elapsed(), processor_time());
        let whole = Timing { stage: "total".to_owned(), start: self.start, time, processor };
        self.clock.stages().into_iter().chain([whole]).collect()
    }
}

fn table(rows: &[Timing]) -> String {
    let milliseconds = |time: Option<Duration>| match time {
        Some(time) => format!("{:>9.1} ms", time.as_secs_f64() * 1000.0),
        None => " ".repeat(12),
    };
    let line =
        |row: &Timing| format!("{}{}  {}\n", milliseconds(Some(row.time)), milliseconds(row.processor), row.stage);
    let heading = format!("{:>12}{:>12}  stage\n", "clock", "processors");
    heading + &rows.iter().map(line).collect::<String>()
}

fn object<'a>(rows: impl Iterator<Item = (&'a str, Option<Duration>)>) -> Value {
    let known = rows.filter_map(|(stage, time)| Some((stage.to_owned(), json!(time?.as_secs_f64() * 1000.0))));
    Value::Object(known.collect::<Map<_, _>>())
}
