//! Bounds on what one input may take, and what is told of an input that is wrong.

use std::{
    fs,
    path::PathBuf,
    sync::{
        Arc, Mutex,
        mpsc::{self, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use super::kinds::Kind;

/// Of the threads that work; the program gives its own as much.
pub(crate) const STACK: usize = 64 << 20;

/// Nothing here takes a second. A machine that is this slow has other troubles.
const HANG: Duration = Duration::from_mins(3);

/// In kilobytes. The largest inputs are of some hundred kilobytes.
const MEMORY: u64 = 600_000;
/// Reading what the system knows of a process takes longer than most inputs.
const ROUNDS_BETWEEN_LOOKS: u64 = 25;

struct Current {
    since: Instant,
    name: String,
}

/// Ends the process when an input takes for ever, since nothing else could.
pub(crate) struct Watch {
    current: Arc<Mutex<Option<Current>>>,
    /// Its end is the end of the watch.
    _end: Sender<()>,
}

impl Watch {
    pub(crate) fn new() -> Self {
        let current = Arc::new(Mutex::new(None::<Current>));
        let watched = Arc::clone(&current);
        let (end, ended) = mpsc::channel::<()>();
        thread::spawn(move || {
            while ended.recv_timeout(Duration::from_secs(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                let current = watched.lock().unwrap();
                let hanging = current.as_ref().filter(|current| current.since.elapsed() > HANG);
                if let Some(Current { name, .. }) = hanging {
                    let _ = fs::write(std::env::temp_dir().join("portalgen-hangs"), name);
                    std::process::abort();
                }
            }
        });
        Self { current, _end: end }
    }

    pub(crate) fn begin<'a>(&'a self, kind: Kind, seed: u64, input: &'a [u8]) -> Round<'a> {
        let name = format!("{kind:?} {seed}: {}", String::from_utf8_lossy(input));
        *self.current.lock().unwrap() = Some(Current { since: Instant::now(), name });
        Round { watch: self, kind, seed, input }
    }
}

/// One input's turn.
pub(crate) struct Round<'a> {
    watch: &'a Watch,
    kind: Kind,
    seed: u64,
    input: &'a [u8],
}

impl Round<'_> {
    pub(crate) fn fail(&self, problem: &str) -> ! {
        let Self { kind, seed, input, .. } = self;
        let file: PathBuf = std::env::temp_dir().join(format!("portalgen-fuzz-{kind:?}-{seed}"));
        fs::write(&file, input).unwrap();
        panic!("{kind:?}, seed {seed}: {problem}\nthe input is in {}", file.display());
    }

    pub(crate) fn end(self) {
        *self.watch.current.lock().unwrap() = None;
        if !self.seed.is_multiple_of(ROUNDS_BETWEEN_LOOKS) {
            return;
        }
        if let Some(peak) = peak_memory().filter(|peak| *peak > MEMORY) {
            self.fail(&format!("one of the last {ROUNDS_BETWEEN_LOOKS} inputs took {peak} kB"));
        }
        // From here on the peak is counted anew. Where that is not possible it is one of all inputs.
        let _ = fs::write("/proc/self/clear_refs", "5");
    }
}

/// The most memory that the process has had at once, in kilobytes, where the system tells.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
