//! What a program takes.

use std::{
    fs,
    process::{Command, ExitCode},
    time::Instant,
};

/// Runs a program, and writes to `report` what it took, as JSON: milliseconds, those of processors, and bytes of memory. Ends
/// as the program does.
///
/// What children have used is known of all together, hence a process for each measurement. This one is small, too:
/// on Linux a program that it starts begins with its memory.
pub(crate) fn measure(report: &str, program: &str, arguments: &[&str]) -> ExitCode {
    match run(report, program, arguments) {
        Ok(code) => code,
        Err(message) => {
            eprintln!("{program}: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run(report: &str, program: &str, arguments: &[&str]) -> Result<ExitCode, String> {
    let start = Instant::now();
    let status = Command::new(program).args(arguments).status().map_err(|error| error.to_string())?;
    let wall = start.elapsed().as_secs_f64() * 1000.0;
    let Used { cpu, memory } = used_by_children()?;
    fs::write(report, format!("{{ \"wall\": {wall}, \"cpu\": {cpu}, \"memory\": {memory} }}\n"))
        .map_err(|error| format!("{report}: {error}"))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}

/// What this process's children that have ended took.
struct Used {
    /// Milliseconds of processors.
    cpu: f64,
    /// The most bytes that the largest of them had in memory at a time.
    memory: i64,
}

#[cfg(unix)]
#[expect(unsafe_code, reason = "the system's function is not in the standard library")]
fn used_by_children() -> Result<Used, String> {
    let mut usage = std::mem::MaybeUninit::<libc::rusage>::uninit();
    // SAFETY: the pointer is to a `rusage` that may be written to.
    if unsafe { libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr()) } != 0 {
        return Err(std::io::Error::last_os_error().to_string());
    }
    // SAFETY: the call succeeded, so all of it has been written.
    let usage = unsafe { usage.assume_init() };
    // Only macOS tells bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Ok(Used { cpu: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime), memory: usage.ru_maxrss * unit })
}

#[cfg(unix)]
#[expect(clippy::cast_precision_loss, reason = "a build does not take a century")]
fn milliseconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 * 1000.0 + time.tv_usec as f64 / 1000.0
}

#[cfg(not(unix))]
fn used_by_children() -> Result<Used, String> {
    Err("what a program takes is known on Unix only".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_written_and_the_exit_code_passed_on() {
        let report = std::env::temp_dir().join(format!("xtask-measure-{}.json", std::process::id()));
        let name = report.to_str().expect("the folder for temporary files has a name");
        let code = run(name, "sh", &["-c", "exit 3"]);
        let text = fs::read_to_string(&report);
        let _ = fs::remove_file(&report);
        assert_eq!(format!("{code:?}"), format!("{:?}", Ok::<_, String>(ExitCode::from(3))));
        let text = text.expect("a report");
        let keys: Vec<&str> = text.split('"').skip(1).step_by(2).collect();
        assert_eq!(keys, ["wall", "cpu", "memory"], "{text}");
        assert!(!text.contains("\"memory\": 0 "), "{text}");
    }

    #[test]
    fn a_program_that_is_missing_is_named() {
        assert!(run("report.json", "no-such-program", &[]).is_err());
    }
}
