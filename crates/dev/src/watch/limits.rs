//! What to tell of what cannot be watched.

use std::{fs, time::Duration};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Text, text},
};

use super::events::Failure;

/// What to tell if so many folders cannot be watched for this reason; `every` is how often they are looked at instead.
pub(super) fn warning(failure: &Failure, folders: usize, every: Duration) -> Diagnostic {
    let instead = polled(every);
    let message = match failure {
        Failure::TooManyFolders => {
            let limit = limit("max_user_watches");
            text!(
                "the system's limit of {limit} watches has been reached; {folders} folders {instead}",
                "已达到系统的监视数量上限（{limit}）；{folders} 个文件夹{instead}",
                limit,
                instead
            )
        }
        Failure::TooManyWatchers => {
            let limit = limit("max_user_instances");
            text!(
                "the system's limit of {limit} file watchers has been reached; {folders} folders {instead}",
                "已达到系统的文件监视器数量上限（{limit}）；{folders} 个文件夹{instead}",
                limit,
                instead
            )
        }
        Failure::Unreachable => text!("watched folders no longer exist", "需要监视的文件夹已不存在"),
        Failure::Other(reason) => text!(
            "cannot watch {folders} folders, which {instead}: {reason}",
            "无法监视 {folders} 个文件夹，{instead}：{reason}",
            instead,
            reason
        ),
    };
    let command = match failure {
        Failure::TooManyFolders => Some("sudo sysctl fs.inotify.max_user_watches=524288"),
        Failure::TooManyWatchers => Some("sudo sysctl fs.inotify.max_user_instances=1024"),
        Failure::Unreachable | Failure::Other(_) => None,
    };
    let warning = Diagnostic::warning(message);
    match command {
        Some(command) => warning.with_hint(text!(
            "to raise it, run `{command}` and start again",
            "如需提高上限，请运行 `{command}`，然后重新启动"
        )),
        None => warning,
    }
}

/// What to tell if files change without events.
pub(super) fn silence() -> Diagnostic {
    let message =
        text!("a file has changed without a notification from the file system", "有文件改变了，但文件系统没有发出通知");
    Diagnostic::warning(message).with_hint(text!(
        "on network drives and shared folders of virtual machines and containers, add `--poll`",
        "如果文件在网络盘、虚拟机或容器的共享文件夹里，请加上 `--poll`"
    ))
}

fn polled(every: Duration) -> Text {
    let seconds = every.as_secs_f32();
    text!("are checked every {seconds} s instead", "改为每 {seconds} 秒检查一次")
}

/// A limit of the system, by its name.
fn limit(name: &str) -> Text {
    let number = fs::read_to_string(format!("/proc/sys/fs/inotify/{name}"));
    number.map_or_else(|_| text!("an unknown number of", "数值未知"), |number| Text::verbatim(number.trim()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use portalgen_base::text::Language;

    use super::{Failure, warning};

    #[test]
    fn limits_are_told_with_a_number_and_a_command() {
        let told = warning(&Failure::TooManyFolders, 7, Duration::from_secs(1));
        for language in Language::ALL {
            let message = told.message.in_language(language);
            assert!(message.contains('7') && message.contains('1'), "{message}");
        }
        assert!(told.hints[0].english().contains("fs.inotify.max_user_watches"));
    }
}
