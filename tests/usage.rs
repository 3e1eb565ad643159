//! Help, and what is said of command lines that cannot be understood, in both languages.

use std::process::Command;

use crate::support::project::{Outcome, Project};

/// The commands that help is asked of.
const COMMANDS: [&[&str]; 21] = [
    &[],
    &["init"],
    &["build"],
    &["check"],
    &["plan"],
    &["deploy-check"],
    &["explain"],
    &["preview"],
    &["dev"],
    &["routes"],
    &["add"],
    &["move"],
    &["title"],
    &["redirect"],
    &["titles"],
    &["titles", "export"],
    &["titles", "import"],
    &["schema"],
    &["completions"],
    &["man"],
    &["bundle"],
];

/// Words of clap that have no place in Chinese help.
const ENGLISH: [&str; 12] = [
    "Usage",
    "Options:",
    "Commands:",
    "Arguments:",
    "Messages",
    "[default",
    "[env",
    "[possible",
    "Possible",
    "[aliases",
    "Print",
    "zh:",
];

fn run(arguments: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let project = Project::without_packages(&[]);
    let mut command: Command = project.command("--");
    let mut bare = Command::new(command.get_program());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => bare.env(name, value),
            None => bare.env_remove(name),
        };
    }
    command = bare;
    command.current_dir(project.path("")).args(arguments).env_remove("PORTALGEN_LANG");
    command.env("LC_ALL", "C").envs(variables.iter().copied());
    Outcome::of(&mut command)
}

fn is_han(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}

#[test]
fn help_is_in_the_language_of_messages() {
    for command in COMMANDS {
        for flag in ["-h", "--help"] {
            let arguments: Vec<&str> = command.iter().copied().chain([flag]).collect();
            let english = run(&arguments, &[]);
            assert_eq!((english.code, english.stderr.as_str()), (0, ""), "{arguments:?}");
            assert!(english.stdout.contains("\nUsage: portalgen"), "{}", english.stdout);
            assert!(!english.stdout.replace("中文", "").contains(is_han), "{}", english.stdout);
            let chinese = run(&[&arguments[..], &["--lang", "zh"]].concat(), &[]);
            let chinese_first = run(&[&["--lang=zh-CN"][..], &arguments].concat(), &[]);
            assert_eq!((chinese.code, chinese.stderr.as_str()), (0, ""), "{arguments:?}");
            assert_eq!(chinese.stdout, chinese_first.stdout, "{arguments:?}");
            assert!(chinese.stdout.contains("\n用法：portalgen"), "{}", chinese.stdout);
            for word in ENGLISH {
                assert!(!chinese.stdout.contains(word), "{word}\n{}", chinese.stdout);
            }
        }
    }
    let [of_help, of_flag] = [&["help", "build"][..], &["build", "--help"]].map(|arguments| {
        let arguments: Vec<&str> = [&["--lang", "zh"][..], arguments].concat();
        run(&arguments, &[]).stdout
    });
    assert_eq!(of_help, of_flag);
}

#[test]
fn languages_are_named_as_locales_name_them() {
    let asked = |arguments: &[&str], variables: &[(&str, &str)]| {
        let outcome = run(&[arguments, &["routes"]].concat(), variables);
        assert_eq!(outcome.code, 1, "{}", outcome.stderr);
        outcome.stderr.contains("当前文件夹里没有门户")
    };
    for locale in ["zh", "zh-CN", "zh_CN.UTF-8", "zh-Hans", "zh-Hans-CN", "ZH", "zh_TW"] {
        assert!(asked(&["--lang", locale], &[]), "{locale}");
        assert!(asked(&[], &[("PORTALGEN_LANG", locale)]), "{locale}");
    }
    assert!(asked(&[], &[("LC_ALL", "zh_CN.UTF-8")]));
    for locale in ["en", "en-US", "en_GB.UTF-8", "EN"] {
        assert!(!asked(&["--lang", locale], &[("PORTALGEN_LANG", "zh")]), "{locale}");
    }
    let other = run(&["routes", "--lang", "fr"], &[]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("`--lang <LANGUAGE>` cannot be `fr`"), "{}", other.stderr);
}

/// What was typed, and what is said of it in English and in Chinese.
const MISTAKES: [(&[&str], &str, &str); 26] = [
    (
        &["build", "--ouut", "x"],
        "error: unknown option `--ouut`\n  = hint: did you mean `--out`?\n  = hint: `portalgen build --help` shows the usage\n",
        "错误：没有 `--ouut` 这个选项\n  = 提示：是不是想写 `--out`？\n  = 提示：`portalgen build --help` 说明全部用法\n",
    ),
    (
        &["biuld"],
        "unknown command `biuld`\n  = hint: did you mean `build`?",
        "没有 `biuld` 这个命令\n  = 提示：是不是想写 `build`？",
    ),
    (
        &["new", "x"],
        "unknown command `new`\n  = hint: did you mean `init`?",
        "没有 `new` 这个命令\n  = 提示：是不是想写 `init`？",
    ),
    (&["serve"], "did you mean `dev`?", "是不是想写 `dev`？"),
    (
        &["title", "/about"],
        "error: <TITLE> is missing\n  = hint: write it as `portalgen title [OPTIONS] <PATH> <TITLE>`",
        "错误：缺少 <标题>\n  = 提示：这个命令的写法是 `portalgen title [选项] <路径> <标题>`",
    ),
    (&["title"], "<PATH>, <TITLE> is missing", "缺少 <路径>、<标题>"),
    (
        &["title", "/about", "About", "us"],
        "`us` is one argument too many\n  = hint: put text that contains spaces in quotes",
        "多了一个词：`us`\n  = 提示：中间有空格的文字要加引号",
    ),
    (
        &["build", "dist"],
        "`dist` is one argument too many\n  = hint: `portalgen build --help`",
        "多了一个词：`dist`\n  = 提示：`portalgen build --help`",
    ),
    (&["dev", "3000"], "did you mean `--port 3000`?", "是不是想写 `--port 3000`？"),
    (&["build", "--watch"], "did you mean `portalgen dev`?", "是不是想写 `portalgen dev`？"),
    (&["-v"], "did you mean `--version`?", "是不是想写 `--version`？"),
    (&["rm", "/about"], "to take a page offline, change its route", "要下线页面，请在 routes.toml 里修改它的路由"),
    (
        &["help", "bild"],
        "unknown command `bild`\n  = hint: did you mean `build`?\n  = hint: `portalgen --help`",
        "没有 `bild` 这个命令\n  = 提示：是不是想写 `build`？",
    ),
    (
        &["build", "--lang", "german"],
        "`--lang <LANGUAGE>` cannot be `german`\n  = hint: possible values: en, zh",
        "`--lang <语言>` 不能是 `german`",
    ),
    (&["title", "/about", "-50%"], "write `--` before text that begins with a dash", "请在前面写 `--`"),
    (&["titles"], "possible values: export, import\n", "可以写：export、import\n"),
    (&["titles", "exprot"], "did you mean `export`?", "是不是想写 `export`？"),
    (
        &["build", "--jobs", "0"],
        "`--jobs <N>` cannot be `0`: there must be at least one thread",
        "`--jobs <数量>` 不能是 `0`：至少要有一个线程",
    ),
    (&["build", "--jobs", "many"], "this is no number of threads", "线程数要写成数字"),
    (&["build", "--jobs"], "`--jobs <N>` needs a value", "`--jobs <数量>` 缺少内容"),
    (&["build", "--mode", "prod"], "possible values: production, development", "可以写：production、development"),
    (&["build", "--deny", "errors"], "possible values: warnings", "可以写：warnings"),
    (
        &["preview", "--port", "99999"],
        "`--port <PORT>` cannot be `99999`: a port is a number from 0 to 65535",
        "端口是 0 到 65535 之间的数字",
    ),
    (&["preview", "--address", "localhost"], "this is no IP address, such as 192.168.1.20", "这不是 IP 地址"),
    (&["build", "--out", "a", "--out", "b"], "`--out <DIR>` is there twice", "`--out <文件夹>` 写了两次"),
    (&["dev", "--poll", "often"], "this is no number of milliseconds", "毫秒数要写成数字"),
];

#[test]
fn wrong_usage_is_told_in_the_language_of_messages() {
    for (arguments, english, chinese) in MISTAKES {
        for (lang, words) in [("en", english), ("zh_CN.UTF-8", chinese)] {
            let outcome = run(arguments, &[("PORTALGEN_LANG", lang)]);
            assert_eq!((outcome.code, outcome.stdout.as_str()), (2, ""), "{arguments:?}");
            assert!(outcome.stderr.contains(words), "{arguments:?}\n{words}\n{}", outcome.stderr);
            let is_chinese = outcome.stderr.contains(is_han);
            assert_eq!(is_chinese, lang != "en", "{}", outcome.stderr);
        }
    }
}

#[test]
fn without_a_command_there_is_help_and_failure() {
    let english = run(&[], &[]);
    assert_eq!((english.code, english.stdout.as_str()), (2, ""));
    assert!(english.stderr.contains("\nCommands:\n  init "), "{}", english.stderr);
    let chinese = run(&["--lang", "zh"], &[]);
    assert_eq!(chinese.code, 2);
    let named = run(&[], &[("PORTALGEN_LANG", "zh-Hans")]);
    assert!(named.stderr.contains("\n命令：\n  init "), "{}", named.stderr);
    let version = run(&["--version"], &[("PORTALGEN_LANG", "zh")]);
    assert_eq!((version.code, version.stdout), (0, format!("portalgen {}\n", env!("CARGO_PKG_VERSION"))));
}

/// Each value has an example of what it may be, since nobody has to say it in the words of the other language.
#[test]
fn names_of_arguments_are_in_the_language_of_messages() {
    let project =
        Project::without_packages(&[("routes.toml", "[[route]]\npath = \"/\"\n"), ("site/pages/index.tsx", "")]);
    for (arguments, english, chinese) in [
        (["title", "/", ""], "error: TITLE: this text is empty", "错误：标题：这里是空的"),
        (["title", "/a//b", "x"], "error: PATH: ", "错误：路径："),
    ] {
        for (lang, words) in [("en", english), ("zh", chinese)] {
            let outcome = project.run(arguments[0], &[&arguments[1..], &["--lang", lang]].concat());
            let start: String = words.chars().take(8).collect();
            assert!(outcome.stderr.starts_with(&start), "{}", outcome.stderr);
        }
    }
}
