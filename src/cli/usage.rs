//! What commands and options there are, in the language of whoever asks.
//!
//! clap speaks English only. What is said of commands and options comes from the doc comments of `args`, which say it in both
//! languages; the words that clap itself has around it are replaced where Chinese is wanted.

use std::{any::TypeId, ffi::OsStr, marker::PhantomData};

use clap::{
    Arg, ValueEnum,
    builder::{EnumValueParser, PossibleValue, Resettable, StyledStr, TypedValueParser},
};
use clap_complete::Shell;

use portalgen_base::text::{Language, Text};

use super::{
    args::{self, Denied, Draft, Format, Lang, Mode, Platform, SourceMapForm},
    wrap::wrapped,
};

/// What stands in front of the Chinese in a doc comment.
const CHINESE: &str = " zh: ";

/// How many columns a text takes up at most in Chinese, and one that is indented.
const WIDTH: usize = 84;
const INDENTED_WIDTH: usize = 72;

/// What stands for values in usage, in English and in Chinese.
const VALUE_NAMES: [(&str, &str); 30] = [
    ("ADDRESS", "地址"),
    ("ADDRESS|RULE", "网址|规则"),
    ("COMMAND", "命令"),
    ("DIR", "文件夹"),
    ("DRAFT", "版本"),
    ("ENTRY", "入口"),
    ("FILE", "文件"),
    ("FORM", "形式"),
    ("FORMAT", "格式"),
    ("FROM", "旧路径"),
    ("IP", "IP 地址"),
    ("LAN", "地址"),
    ("LANGUAGE", "语言"),
    ("MODE", "模式"),
    ("MS", "毫秒"),
    ("N", "数量"),
    ("NAME", "名字"),
    ("NAME=VALUE", "名字=值"),
    ("NAMES", "名字"),
    ("PATH", "路径"),
    ("PLATFORM", "平台"),
    ("PORT", "端口"),
    ("RULE", "规则"),
    ("SHELL", "shell"),
    ("TARGET", "目标"),
    ("TITLE", "标题"),
    ("TO", "新路径"),
    ("URL", "网址"),
    ("VALUE", "值"),
    ("WHAT", "类别"),
];

/// The headings that clap and `args` have, in English and in Chinese.
pub(super) const HEADINGS: [(&str, &str); 4] =
    [("Commands", "命令"), ("Arguments", "参数"), ("Options", "选项"), ("Messages", "消息")];

fn translated<'t>(table: &[(&str, &'t str)], word: &'t str) -> &'t str {
    table.iter().find(|(english, _)| *english == word).map_or(word, |(_, chinese)| *chinese)
}

/// What stands for a value in usage: `TITLE`.
pub(super) fn value_name(name: &str) -> Text {
    Text::new(name, translated(&VALUE_NAMES, name))
}

/// One of the words that an option may have, with what is said of each in a language.
pub(super) struct Choice<E> {
    language: Language,
    /// The part of what was typed that counts.
    core: fn(&str) -> &str,
    kind: PhantomData<fn() -> E>,
}

// A derived one would want to clone the kind as well.
impl<E> Clone for Choice<E> {
    fn clone(&self) -> Self {
        Self { language: self.language, core: self.core, kind: PhantomData }
    }
}

/// The language in the name of a locale.
fn language_of(locale: &str) -> &str {
    locale.split(['-', '_', '.', '@']).next().unwrap_or_default()
}

impl<E> Choice<E> {
    fn in_language(language: Language) -> Self {
        Self { language, core: |word| word, kind: PhantomData }
    }
}

impl Choice<Lang> {
    /// A language, by its name or by that of a locale: `zh_CN.UTF-8`.
    pub(super) fn of_language() -> Self {
        Self { core: language_of, ..Self::in_language(Language::English) }
    }
}

impl<E: ValueEnum + Clone + Send + Sync + 'static> TypedValueParser for Choice<E> {
    type Value = E;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, value: &OsStr) -> Result<E, clap::Error> {
        let is_locale = TypeId::of::<E>() == TypeId::of::<Lang>();
        match value.to_str().map(|value| E::from_str((self.core)(value), is_locale)) {
            Some(Ok(choice)) => Ok(choice),
            _ => EnumValueParser::<E>::new().parse_ref(command, arg, value),
        }
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let values = E::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let spoken = |value: PossibleValue| match value.get_help().map(|help| spoken(help, self.language)) {
            Some(help) => value.help(help),
            None => value,
        };
        Some(Box::new(values.map(spoken)))
    }
}

/// The language that is asked for by the command line or the environment, before either is read as it should be.
pub(super) fn asked_language<'a>(arguments: impl Iterator<Item = &'a OsStr>) -> Option<Lang> {
    let mut words = arguments.take_while(|word| *word != "--").filter_map(OsStr::to_str);
    let mut named = None;
    while let Some(word) = words.next() {
        match word.strip_prefix("--lang") {
            Some("") => named = words.next().map(str::to_owned),
            Some(rest) => named = rest.strip_prefix('=').map(str::to_owned).or(named),
            None => {}
        }
    }
    let known = |locale: String| Lang::from_str(language_of(&locale), true).ok();
    named.and_then(known).or_else(|| std::env::var("PORTALGEN_LANG").ok().and_then(known))
}

/// All commands and options, with what is said of them in a language.
pub(super) fn command(language: Language) -> clap::Command {
    let mut command = args::command();
    // So that it has the options and the command for help, too.
    command.build();
    in_language(command, language)
}

fn in_language(command: clap::Command, language: Language) -> clap::Command {
    let said = |text: Option<&StyledStr>| text.map(|text| spoken(text, language));
    let (about, long_about) = (said(command.get_about()), said(command.get_long_about()));
    let after = said(command.get_after_help());
    let is_help = command.get_name() == "help";
    let command = command
        .about(styled(about))
        .long_about(styled(long_about.map(|about| set(&about, WIDTH, language))))
        .after_help(styled(after.map(|after| set(&after, WIDTH, language))))
        .mut_args(|arg| arg_in_language(arg, language))
        .mut_subcommands(|command| in_language(command, language));
    match language {
        Language::English => used_as(command, |usage| usage),
        Language::Chinese if is_help => framed_in_chinese(command.about("显示总的帮助，或者某个命令的帮助")),
        Language::Chinese => framed_in_chinese(command),
    }
}

/// The words around what is said of commands and options.
fn framed_in_chinese(command: clap::Command) -> clap::Command {
    let heading = *command.get_styles().get_usage();
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{heading}用法：{heading:#}{{usage}}\n\n{{all-args}}{{after-help}}"
    );
    let heading = translated(&HEADINGS, "Commands");
    let in_chinese = |usage: String| {
        usage.replace("[OPTIONS]", "[选项]").replace("<COMMAND>", "<命令>").replace("[COMMAND]", "[命令]")
    };
    used_as(command.help_template(template).subcommand_help_heading(heading), in_chinese)
}

/// Has the usage of a command be the same whatever was typed.
fn used_as(mut command: clap::Command, change: impl Fn(String) -> String) -> clap::Command {
    let usage = usage(&mut command);
    command.override_usage(change(usage))
}

/// How a command is written.
pub(super) fn usage(command: &mut clap::Command) -> String {
    command.render_usage().to_string().trim_start_matches("Usage: ").to_owned()
}

fn arg_in_language(arg: Arg, language: Language) -> Arg {
    let arg = with_choices::<Lang>(arg, language);
    let arg = with_choices::<Format>(arg, language);
    let arg = with_choices::<Mode>(arg, language);
    let arg = with_choices::<Denied>(arg, language);
    let arg = with_choices::<Platform>(arg, language);
    let arg = with_choices::<SourceMapForm>(arg, language);
    let arg = with_choices::<Draft>(arg, language);
    let arg = with_choices::<Shell>(arg, language);
    let said = |text: Option<&StyledStr>| text.map(|text| spoken(text, language));
    let (help, long_help) = (said(arg.get_help()), said(arg.get_long_help()));
    let arg = arg.help(styled(help)).long_help(styled(long_help));
    match language {
        Language::English => arg,
        Language::Chinese => arg_in_chinese(arg),
    }
}

fn with_choices<E: ValueEnum + Clone + Send + Sync + 'static>(arg: Arg, language: Language) -> Arg {
    let is_other = arg.get_value_parser().type_id() != TypeId::of::<E>();
    let core: fn(&str) -> &str = if arg.get_id() == "lang" { language_of } else { |word| word };
    if is_other { arg } else { arg.value_parser(Choice::<E> { core, ..Choice::in_language(language) }) }
}

/// What clap would add to what is said of an argument, and its headings.
fn arg_in_chinese(arg: Arg) -> Arg {
    let help = match arg.get_id().as_str() {
        "help" => "显示帮助".to_owned(),
        "version" => "显示版本".to_owned(),
        _ => arg.get_help().map(ToString::to_string).unwrap_or_default(),
    };
    let is_of_clap = matches!(arg.get_id().as_str(), "help" | "version");
    let long = arg.get_long_help().filter(|_| !is_of_clap).map_or_else(|| help.clone(), ToString::to_string);
    let heading = arg.get_help_heading().unwrap_or(if arg.is_positional() { "Arguments" } else { "Options" });
    let heading = translated(&HEADINGS, heading).to_owned();
    let names: Vec<String> = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string).collect();
    let names: Vec<String> = names.iter().map(|name| translated(&VALUE_NAMES, name).to_owned()).collect();
    let (choices, notes) = (choices(&arg), notes(&arg));
    let in_line = choices.iter().map(|choice| choice.get_name().to_owned()).collect::<Vec<_>>().join("、");
    let in_line = if choices.is_empty() { Vec::new() } else { vec![format!("[可选：{in_line}]")] };
    let listed = choices.iter().map(|choice| match choice.get_help() {
        Some(help) => format!("\n- {}：{help}", choice.get_name()),
        None => format!("\n- {}", choice.get_name()),
    });
    let listed: String = listed.collect();
    let listed = if choices.is_empty() { String::new() } else { format!("\n\n可选：{listed}") };
    let notes_apart = if notes.is_empty() { String::new() } else { format!("\n\n{}", notes.join("\n")) };
    let long = format!("{}{listed}{notes_apart}", set(&long, INDENTED_WIDTH, Language::Chinese));
    let short = std::iter::once(help).chain(in_line).chain(notes).collect::<Vec<_>>().join(" ");
    let aliases: Vec<String> = arg.get_visible_aliases().unwrap_or_default().iter().map(ToString::to_string).collect();
    let arg = arg.help(short).long_help(long).help_heading(heading).hide_default_value(true).hide_env(true);
    let arg = arg.hide_possible_values(true).visible_alias(None::<&'static str>).aliases(aliases);
    if names.is_empty() { arg } else { arg.value_names(names) }
}

fn choices(arg: &Arg) -> Vec<PossibleValue> {
    let takes_values = arg.get_action().takes_values();
    let choices = if takes_values { arg.get_possible_values() } else { Vec::new() };
    choices.into_iter().filter(|choice| !choice.is_hide_set()).collect()
}

/// The default of an argument, its variable and its other names.
fn notes(arg: &Arg) -> Vec<String> {
    let defaults = arg.get_default_values().iter().map(|value| value.to_string_lossy().into_owned());
    let defaults: Vec<String> = defaults.filter(|_| arg.get_action().takes_values()).collect();
    let default = (!defaults.is_empty()).then(|| format!("[默认：{}]", defaults.join("、")));
    let variable = arg.get_env().map(|name| format!("[环境变量：{}]", name.to_string_lossy()));
    let aliases = arg.get_visible_aliases().unwrap_or_default();
    let aliases: Vec<String> = aliases.iter().map(|alias| format!("--{alias}")).collect();
    let alias = (!aliases.is_empty()).then(|| format!("[也可以写：{}]", aliases.join("、")));
    default.into_iter().chain(variable).chain(alias).collect()
}

/// The words of a doc comment in a language, paragraph by paragraph. What has no Chinese is the same in both.
fn spoken(said: &StyledStr, language: Language) -> String {
    let said = said.to_string();
    let paragraphs = said.split("\n\n").map(|paragraph| match (paragraph.split_once(CHINESE), language) {
        (Some((english, _)), Language::English) => english,
        (Some((_, chinese)), Language::Chinese) => chinese,
        (None, _) => paragraph,
    });
    paragraphs.collect::<Vec<_>>().join("\n\n")
}

fn styled(text: Option<String>) -> Resettable<StyledStr> {
    text.map(StyledStr::from).into()
}

/// Chinese on lines of some width: clap breaks lines at spaces, of which there are few. English is left to clap.
fn set(text: &str, width: usize, language: Language) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Chinese => {
            text.split("\n\n").map(|text| wrapped(text, width).join("\n")).collect::<Vec<_>>().join("\n\n")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command itself, then those below it.
    fn all(command: &clap::Command) -> Vec<&clap::Command> {
        let below = command.get_subcommands().flat_map(all);
        std::iter::once(command).chain(below).collect()
    }

    fn is_han(c: char) -> bool {
        ('\u{4e00}'..='\u{9fff}').contains(&c)
    }

    /// All that is said of commands, options and the words that these may have.
    fn said(language: Language) -> Vec<(String, String)> {
        let command = command(language);
        let mut said = Vec::new();
        for command in all(&command) {
            let name = command.get_name();
            let about = [command.get_about(), command.get_long_about(), command.get_after_help()];
            said.extend(about.into_iter().flatten().map(|text| (name.to_owned(), text.to_string())));
            for arg in command.get_arguments() {
                let name = format!("{name} {}", arg.get_id());
                let choices = choices(arg);
                let help = [arg.get_help(), arg.get_long_help()];
                let help = help.into_iter().chain(choices.iter().map(PossibleValue::get_help)).flatten();
                said.extend(help.map(|text| (name.clone(), text.to_string())));
                assert!(arg.get_help().is_some(), "nothing is said of {name}");
            }
            assert!(command.get_about().is_some(), "nothing is said of {name}");
        }
        assert!(said.len() > 200, "{}", said.len());
        said
    }

    #[test]
    fn everything_is_said_in_chinese() {
        let silent: Vec<_> = said(Language::Chinese)
            .into_iter()
            .flat_map(|(name, text)| text.split("\n\n").map(|text| (name.clone(), text.to_owned())).collect::<Vec<_>>())
            .filter(|(_, text)| text.contains("zh:") || !text.contains(is_han))
            .collect();
        assert_eq!(silent, []);
    }

    #[test]
    fn nothing_is_said_in_chinese_to_others() {
        let said = said(Language::English);
        let chinese: Vec<_> =
            said.iter().filter(|(_, text)| text.contains("zh:") || (text.contains(is_han) && text != "中文")).collect();
        assert_eq!(chinese, [] as [&(String, String); 0]);
    }

    #[test]
    fn chinese_is_set_as_chinese() {
        let is_wrong = |text: &str| {
            let characters: Vec<char> = text.chars().collect();
            let is_latin = |c: char| c.is_ascii_alphanumeric() || c == '`';
            characters.windows(2).any(|pair| {
                let [first, second] = [pair[0], pair[1]];
                (is_han(first) && (",;:?!()".contains(second) || is_latin(second)))
                    || (is_han(second) && (",;:?!".contains(first) || is_latin(first)))
            })
        };
        let wrong: Vec<_> = said(Language::Chinese).into_iter().filter(|(_, text)| is_wrong(text)).collect();
        assert_eq!(wrong, []);
    }

    #[test]
    fn names_of_values_and_headings_are_known() {
        let command = args::command();
        let args: Vec<&Arg> = all(&command).into_iter().flat_map(clap::Command::get_arguments).collect();
        let names = args.iter().filter(|arg| arg.get_action().takes_values()).flat_map(|arg| {
            let names = arg.get_value_names().unwrap_or_default().iter().map(ToString::to_string);
            let names: Vec<String> = names.collect();
            if names.is_empty() { vec![arg.get_id().to_string().to_uppercase()] } else { names }
        });
        for name in names {
            assert!(VALUE_NAMES.iter().any(|(known, _)| *known == name), "{name}");
        }
        for heading in args.iter().filter_map(|arg| arg.get_help_heading()) {
            assert!(HEADINGS.iter().any(|(known, _)| *known == heading), "{heading}");
        }
        assert!(VALUE_NAMES.is_sorted());
    }

    #[test]
    fn languages_are_known_by_the_names_of_locales() {
        for (arguments, expected) in [
            (&["--lang", "zh-CN"][..], Some(Lang::Zh)),
            (&["build", "--lang=zh_CN.UTF-8"], Some(Lang::Zh)),
            (&["--lang", "zh-Hans", "--wrong"], Some(Lang::Zh)),
            (&["--lang", "EN_us"], Some(Lang::En)),
            (&["title", "--lang", "en", "--lang", "zh"], Some(Lang::Zh)),
        ] {
            assert_eq!(asked_language(arguments.iter().map(OsStr::new)), expected, "{arguments:?}");
        }
    }
}
