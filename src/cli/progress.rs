//! A line that says what is going on, for work that takes longer than somebody likes to look at nothing.

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError, Sender},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use portalgen_base::{
    text::{Language, Text, text},
    timing::Running,
};

use super::terminal::draw;

/// Before this nobody needs to be told to wait.
const PATIENCE: Duration = Duration::from_secs(1);
const BETWEEN_LINES: Duration = Duration::from_millis(100);
const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// Back to the start of the line, and nothing on it.
const CLEAR: &str = "\r\u{1b}[2K";

/// Shows what runs until it is dropped.
pub(super) struct Progress {
    work: Option<Sender<()>>,
    painter: Option<JoinHandle<()>>,
}

impl Progress {
    pub(super) fn of(running: &Arc<Running>, language: Language) -> Self {
        Self::told_to(draw, running, language)
    }

    fn told_to(say: impl Fn(&str) + Send + 'static, running: &Arc<Running>, language: Language) -> Self {
        let (work, end) = mpsc::channel::<()>();
        let running = Arc::clone(running);
        let painter = thread::spawn(move || {
            let start = Instant::now();
            let mut patience = PATIENCE;
            let mut frames = FRAMES.iter().cycle();
            while end.recv_timeout(patience) == Err(RecvTimeoutError::Timeout) {
                patience = BETWEEN_LINES;
                let frame = frames.next().copied().unwrap_or_default();
                let (stage, seconds) = (words(&running.stages()), start.elapsed().as_secs());
                let line = Text::each(|language| format!("{frame} {} {seconds} s", stage.in_language(language)));
                let line = line.in_language(language);
                say(&format!("{CLEAR}{line}"));
            }
            if patience == BETWEEN_LINES {
                say(CLEAR);
            }
        });
        Self { work: Some(work), painter: Some(painter) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.work.take());
        if let Some(painter) = self.painter.take() {
            let _ = painter.join();
        }
    }
}

/// What to call the work of some stages.
fn words(stages: &[String]) -> Text {
    let has = |name: &str| stages.iter().any(|stage| stage == name);
    if has("prerender") {
        text!("rendering pages", "正在渲染页面")
    } else if stages.iter().any(|stage| stage.starts_with("bundle")) {
        text!("bundling", "正在打包")
    } else if has("compress") {
        text!("compressing", "正在压缩")
    } else {
        text!("working", "正在处理")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use portalgen_base::timing::Clock;

    /// What is told while something takes until a line is there, or no time at all.
    fn told(long: bool) -> String {
        let told = Arc::new(Mutex::new(String::new()));
        let listener = Arc::clone(&told);
        let clock = Clock::default();
        let progress = Progress::told_to(
            move |words| listener.lock().expect("no panic").push_str(words),
            clock.running(),
            Language::Chinese,
        );
        clock.time("bundle for the browser", || {
            while long && told.lock().expect("no panic").is_empty() {
                thread::sleep(Duration::from_millis(10));
            }
        });
        drop(progress);
        let told = told.lock().expect("no panic");
        told.clone()
    }

    #[test]
    fn what_takes_long_is_told_and_the_line_is_cleared() {
        let told = told(true);
        assert!(told.contains("正在打包 1 s"), "{told:?}");
        assert!(told.starts_with(CLEAR) && told.ends_with(CLEAR), "{told:?}");
    }

    #[test]
    fn what_is_done_soon_needs_no_words() {
        assert_eq!(told(false), "");
    }
}
