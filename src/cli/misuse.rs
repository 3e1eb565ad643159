//! What is said when the command line cannot be understood, and help that was asked for.

use std::{
    ffi::OsString,
    io::{self, Write},
    process::ExitCode,
};

use clap::{
    builder::StyledStr,
    error::{ContextKind, ContextValue, ErrorKind},
};

use portalgen_base::{
    diagnostic::{self, Diagnostic},
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

/// Words for what no command does: a page that is to go.
const REMOVAL: [&str; 5] = ["delete", "remove", "rm", "del", "retire"];

/// Prints help, or what is wrong with the command line. `error` is what clap says of it in English.
pub(super) fn tell(arguments: &[OsString], error: clap::Error) -> ExitCode {
    let look = console::look(usage::asked_language(arguments.iter().map(OsString::as_os_str)));
    let all = usage::command(look.language);
    let error = all.clone().try_get_matches_from(arguments).err().unwrap_or(error);
    let code = ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
    let mut command = asked(&all, arguments);
    let printed = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::DisplayVersion => {
            print(&error.render(), error.use_stderr(), look.language)
        }
        // Whoever names no command sees which there are.
        ErrorKind::MissingSubcommand if command.get_name() == all.get_name() => {
            print(&command.render_help(), true, look.language)
        }
        _ => {
            say(&report::human(&complaint(&error, &mut command), look));
            Ok(())
        }
    };
    let is_lost = printed.is_err_and(|error| error.kind() != io::ErrorKind::BrokenPipe);
    if is_lost { ExitCode::from(2) } else { code }
}

/// The command that was asked for, as far as its words are known.
fn asked(all: &clap::Command, arguments: &[OsString]) -> clap::Command {
    let words = arguments.iter().skip(1).filter_map(|word| word.to_str()).take_while(|word| *word != "--");
    // What is asked of `help` is a command as well.
    let words = words.filter(|word| *word != "help");
    words.fold(all, |command, word| command.find_subcommand(word).unwrap_or(command)).clone()
}

/// Prints help or the version.
fn print(text: &StyledStr, to_stderr: bool, language: Language) -> io::Result<()> {
    let text = text.ansi().to_string();
    let text = match language {
        Language::English => text,
        // clap writes the colon behind headings itself.
        Language::Chinese => usage::HEADINGS
            .iter()
            .fold(text, |text, (_, heading)| text.replace(&format!("{heading}:"), &format!("{heading}："))),
    };
    if to_stderr {
        anstream::stderr().write_all(text.as_bytes())
    } else {
        let mut output = anstream::stdout();
        output.write_all(text.as_bytes())?;
        output.flush()
    }
}

/// What is wrong with the command line, and what to type instead.
fn complaint(error: &clap::Error, command: &mut clap::Command) -> Diagnostic {
    let usage = usage::usage(command);
    let name = command.get_bin_name().unwrap_or("portalgen").to_owned();
    let found = Diagnostic::error(message(error)).with_hints(hints(error, command));
    let is_incomplete = error.kind() == ErrorKind::MissingRequiredArgument;
    let written = is_incomplete.then(|| text!("write it as `{usage}`", "这个命令的写法是 `{usage}`"));
    let help = text!("`{name} --help` shows the usage", "`{name} --help` 说明全部用法");
    found.with_hints(written).with_hint(help)
}

fn message(error: &clap::Error) -> Text {
    let (arg, value) = (named(error, ContextKind::InvalidArg), named(error, ContextKind::InvalidValue));
    match error.kind() {
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            text!("unknown option `{arg}`", "没有 `{arg}` 这个选项")
        }
        ErrorKind::UnknownArgument => text!("`{arg}` is one argument too many", "多了一个词：`{arg}`"),
        ErrorKind::InvalidSubcommand => {
            let command = named(error, ContextKind::InvalidSubcommand);
            text!("unknown command `{command}`", "没有 `{command}` 这个命令")
        }
        ErrorKind::MissingSubcommand => {
            let command = named(error, ContextKind::InvalidSubcommand);
            text!("`{command}` needs a subcommand", "`{command}` 后面还要写子命令")
        }
        ErrorKind::MissingRequiredArgument => {
            let chinese = all_named(error, ContextKind::InvalidArg).join("、");
            text!("{arg} is missing", "缺少 {chinese}")
        }
        ErrorKind::InvalidValue if value.is_empty() => text!("`{arg}` needs a value", "`{arg}` 缺少内容"),
        ErrorKind::InvalidValue | ErrorKind::TooManyValues | ErrorKind::ValueValidation => refused(error, &arg, &value),
        ErrorKind::NoEquals => text!("`{arg}` takes its value after `=`", "`{arg}` 的值要写在 `=` 后面"),
        ErrorKind::ArgumentConflict if named(error, ContextKind::PriorArg) == arg => {
            text!("`{arg}` is there twice", "`{arg}` 写了两次")
        }
        ErrorKind::InvalidUtf8 => text!("an argument is not UTF-8", "有一个参数不是 UTF-8 编码"),
        _ => text!("the command line cannot be understood", "无法识别这条命令"),
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
fn hints(error: &clap::Error, command: &clap::Command) -> Vec<Text> {
    let arg = named(error, ContextKind::InvalidArg);
    let suggested = [ContextKind::SuggestedArg, ContextKind::SuggestedValue].map(|kind| named(error, kind));
    let suggested = suggested.into_iter().find(|similar| !similar.is_empty()).map(did_you_mean);
    let mut hints: Vec<Text> = match error.kind() {
        ErrorKind::InvalidSubcommand => instead(&named(error, ContextKind::InvalidSubcommand), command),
        ErrorKind::UnknownArgument => suggested.or_else(|| instead_of(&arg, error, command)).into_iter().collect(),
        _ => suggested.into_iter().collect(),
    };
    let known = [ContextKind::ValidValue, ContextKind::ValidSubcommand].map(|kind| all_named(error, kind));
    let known = known.into_iter().find(|known| !known.is_empty());
    hints.extend(known.map(|known| {
        let known: Vec<String> = known.into_iter().filter(|word| word != "help").collect();
        let (english, chinese) = (known.join(", "), known.join("、"));
        text!("possible values: {english}", "可以写：{chinese}")
    }));
    hints
}

/// The command that does what was probably wanted.
fn instead(typed: &str, command: &clap::Command) -> Vec<Text> {
    if REMOVAL.contains(&typed) {
        return vec![text!(
            "to take a page offline, change its route in routes.toml: `redirect = \"…\"` leads elsewhere, `retired = true` says \
             that the page is gone",
            "要下线页面，请在 routes.toml 里修改它的路由：写 `redirect = \"…\"` 会转到别处，写 `retired = true` 表示不再有这个页面"
        )];
    }
    let same = ELSEWHERE.iter().find(|(name, _)| *name == typed).map(|(_, same)| *same);
    let names = command.get_subcommands().map(clap::Command::get_name);
    same.or_else(|| diagnostic::did_you_mean(typed, names)).map(did_you_mean).into_iter().collect()
}

/// What to write instead of an option or a word that a command does not know.
fn instead_of(arg: &str, error: &clap::Error, command: &clap::Command) -> Option<Text> {
    let has = |id: &str| command.get_arguments().any(|known| known.get_id() == id);
    let of_command = named(error, ContextKind::SuggestedSubcommand);
    let is_option = arg.starts_with('-');
    if !of_command.is_empty() {
        return Some(text!(
            "it belongs after the command: `{of_command} {arg}`",
            "它要写在命令后面：`{of_command} {arg}`"
        ));
    }
    match arg {
        "-v" if !has("verbose") => Some(did_you_mean("--version")),
        "--watch" | "-w" => Some(did_you_mean("portalgen dev")),
        _ if is_option && has("title") => Some(text!(
            "write `--` before text that begins with a dash: `-- \"{arg} …\"`",
            "如果这是以短横线开头的文字，请在前面写 `--`：`-- \"{arg} …\"`"
        )),
        _ if is_option => None,
        _ if has("port") && arg.chars().all(|c| c.is_ascii_digit()) => Some(did_you_mean(format!("--port {arg}"))),
        _ if ["title", "folder"].into_iter().any(has) => Some(text!(
            "put text that contains spaces in quotes: `\"About us\"`",
            "中间有空格的文字要加引号：`\"About us\"`"
        )),
        _ => None,
    }
}

/// What clap names in its complaint, in one list.
fn named(error: &clap::Error, kind: ContextKind) -> String {
    all_named(error, kind).join(", ")
}

fn all_named(error: &clap::Error, kind: ContextKind) -> Vec<String> {
    match error.get(kind) {
        Some(ContextValue::String(word)) => vec![visible(word)],
        Some(ContextValue::Strings(words)) => words.iter().map(|word| visible(word)).collect(),
        _ => Vec::new(),
    }
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
