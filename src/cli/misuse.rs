//! What is said when the command line cannot be understood, and help that was asked for.

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use clap::error::{ContextKind, ContextValue, ErrorKind};

use portalgen_base::{
    diagnostic::Diagnostic,
    text::{Language, Text, did_you_mean, text},
};

use super::{args::Refused, console, report, shown::visible, terminal::say, usage};

/// Commands that other programs have, and what does the same here.
const ELSEWHERE: [(&str, &str); 16] = [
    ("create", "init"),
    ("new", "init"),
    ("serve", "dev"),
    ("server", "dev"),
    ("start", "dev"),
    ("watch", "dev"),
    ("lint", "check"),
    ("test", "check"),
    ("validate", "check"),
    ("list", "routes"),
    ("ls", "routes"),
    ("mv", "move"),
    ("rename", "move"),
    ("page", "add"),
    ("generate", "build"),
    ("export", "titles export"),
];

/// Prints help, or what is wrong with the command line. `error` is what clap says of it in English.
pub(super) fn tell(arguments: &[OsString], error: clap::Error) -> ExitCode {
    let look = console::look(usage::asked_language(arguments.iter().map(OsString::as_os_str)));
    let error = usage::command(look.language).try_get_matches_from(arguments).err().unwrap_or(error);
    let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    match complaint(&error) {
        Some(complaint) => say(&report::human(&complaint, look)),
        None if print(&error, look.language).is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe) => {
            return ExitCode::from(2);
        }
        None => {}
    }
    code
}

/// Prints help or the version where clap says that it belongs.
fn print(error: &clap::Error, language: Language) -> io::Result<()> {
    let text = error.render().ansi().to_string();
    let text = match language {
        Language::English => text,
        // clap writes the colon behind headings itself.
        Language::Chinese => usage::HEADINGS
            .iter()
            .fold(text, |text, (_, heading)| text.replace(&format!("{heading}:"), &format!("{heading}："))),
    };
    if error.use_stderr() {
        anstream::stderr().write_all(text.as_bytes())
    } else {
        let mut output = anstream::stdout();
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}

/// What is wrong with the command line; nothing where help or the version was asked for.
fn complaint(error: &clap::Error) -> Option<Diagnostic> {
    let is_answer = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::DisplayVersion
    );
    if is_answer {
        return None;
    }
    let (usage, command) = usage_of(error);
    let found = Diagnostic::error(message(error)).with_hints(hints(error));
    let is_incomplete = error.kind() == ErrorKind::MissingRequiredArgument;
    let written = is_incomplete.then(|| text!("the command is written `{usage}`", "这个命令的写法是 `{usage}`"));
    Some(
        found
            .with_hints(written)
            .with_hint(text!("`{command} --help` says what there is", "`{command} --help` 说明全部用法")),
    )
}

fn message(error: &clap::Error) -> Text {
    let (arg, value) = (named(error, ContextKind::InvalidArg), named(error, ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            text!("there is no option `{arg}`", "没有 `{arg}` 这个选项")
        }
        ErrorKind::UnknownArgument => text!("`{arg}` is one word too many", "多了一个词：`{arg}`"),
        ErrorKind::InvalidSubcommand => {
            let command = named(error, ContextKind::InvalidSubcommand);
            text!("there is no command `{command}`", "没有 `{command}` 这个命令")
        }
        ErrorKind::MissingSubcommand => {
            let command = named(error, ContextKind::InvalidSubcommand);
            text!("`{command}` needs a command behind it", "`{command}` 后面还要写一个命令")
        }
        ErrorKind::MissingRequiredArgument => text!("{arg} is missing", "缺少 {arg}"),
        ErrorKind::InvalidValue if value.is_empty() => text!("`{arg}` needs a value", "`{arg}` 缺少内容"),
        ErrorKind::InvalidValue | ErrorKind::TooManyValues | ErrorKind::ValueValidation => refused(error, &arg, &value),
        ErrorKind::NoEquals => text!("`{arg}` has its value behind a `=`", "`{arg}` 的值要写在 `=` 后面"),
        ErrorKind::ArgumentConflict if named(error, ContextKind::PriorArg) == arg => {
            text!("`{arg}` is there twice", "`{arg}` 写了两次")
        }
        ErrorKind::InvalidUtf8 => text!("an argument is not stored as UTF-8", "有一个参数不是 UTF-8 编码"),
        _ => text!("the command line cannot be understood", "看不懂这条命令"),
    }
}

fn refused(error: &clap::Error, arg: &str, value: &str) -> Text {
    let reason = std::error::Error::source(error).and_then(|reason| reason.downcast_ref::<Refused>());
    match reason {
        Some(Refused(reason)) => {
            text!("`{arg}` cannot be `{value}`: {reason}", "`{arg}` 不能是 `{value}`：{reason}", reason)
        }
        None => text!("`{arg}` cannot be `{value}`", "`{arg}` 不能是 `{value}`"),
    }
}

/// What to type instead, as far as that can be known.
fn hints(error: &clap::Error) -> Vec<Text> {
    let kinds = [ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let similar = kinds.into_iter().map(|kind| named(error, kind)).find(|similar| !similar.is_empty());
    let (arg, command) = (named(error, ContextKind::InvalidArg), named(error, ContextKind::InvalidSubcommand));
    let mut hints: Vec<Text> = similar.map(did_you_mean).into_iter().collect();
    let commands = named(error, ContextKind::SuggestedSubcommand);
    match error.kind() {
        ErrorKind::InvalidSubcommand => {
            let same = ELSEWHERE.iter().find(|(name, _)| *name == command).map(|(_, same)| (*same).to_owned());
            hints.extend(same.or(Some(commands).filter(|commands| !commands.is_empty())).map(did_you_mean));
        }
        ErrorKind::UnknownArgument if !commands.is_empty() => {
            hints.push(text!(
                "it belongs behind the command: `{commands} {arg}`",
                "它要写在命令后面：`{commands} {arg}`"
            ));
        }
        ErrorKind::UnknownArgument if arg.starts_with('-') && hints.is_empty() => hints.push(text!(
            "write `--` in front of a text that begins with a dash: `-- \"{arg} …\"`",
            "如果这是以短横线开头的文字，请在前面写 `--`：`-- \"{arg} …\"`"
        )),
        ErrorKind::UnknownArgument if !arg.starts_with('-') => hints.push(text!(
            "words that belong together are put in quotes: `\"About us\"`",
            "中间有空格的文字要加引号：`\"About us\"`"
        )),
        _ => {}
    }
    let known = [ContextKind::ValidValue, ContextKind::ValidSubcommand].map(|kind| named(error, kind));
    let known = known.into_iter().find(|known| !known.is_empty());
    hints.extend(known.map(|known| {
        let chinese = known.replace(", ", "、");
        text!("it is one of these: {known}", "可以写：{chinese}")
    }));
    hints
}

/// How a command is used, and the words that it begins with.
fn usage_of(error: &clap::Error) -> (String, String) {
    let usage = named(error, ContextKind::Usage);
    let usage = usage.trim_start_matches("Usage:").trim().to_owned();
    let words = usage.split_whitespace().take_while(|word| !word.starts_with(['<', '[', '-']));
    let command = words.collect::<Vec<_>>().join(" ");
    if command.is_empty() { (usage, "portalgen".to_owned()) } else { (usage, command) }
}

/// What clap names in its complaint; several with commas between them.
fn named(error: &clap::Error, kind: ContextKind) -> String {
    let named = match error.get(kind) {
        Some(ContextValue::String(word)) => word.clone(),
        Some(ContextValue::Strings(words)) => words.join(", "),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        _ => String::new(),
    };
    visible(&named)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::*;

    #[test]
    fn commands_of_other_programs_lead_to_commands_of_this_one() {
        let command = usage::command(Language::English);
        for (elsewhere, here) in ELSEWHERE {
            assert!(command.find_subcommand(elsewhere).is_none(), "{elsewhere}");
            let first = here.split(' ').next().map(OsStr::new);
            assert!(first.is_some_and(|name| command.find_subcommand(name).is_some()), "{here}");
        }
    }
}
