//! Sentences for people, in every language that portalgen speaks.
//!
//! A message is written in all languages at one place, with [`text!`]: whoever changes one sees the other beside it, and
//! the compiler checks what both quote. Which of them is shown is decided where it is shown.

use serde::{Deserialize, Serialize};

/// A language that messages come in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// English, in which everything can be said.
    #[default]
    English,
    /// Chinese in simplified characters.
    Chinese,
}

impl Language {
    /// Every language.
    pub const ALL: [Self; 2] = [Self::English, Self::Chinese];

    /// The language that a locale asks for: `zh_CN.UTF-8`, `zh-Hant-TW`. English stands in for those not spoken here.
    pub fn of_locale(locale: &str) -> Self {
        let language = locale.split(['-', '_', '.', '@']).next().unwrap_or_default();
        if language.eq_ignore_ascii_case("zh") { Self::Chinese } else { Self::English }
    }
}

/// A sentence, or a part of one.
///
/// Neither made from a string by itself nor shown as one: a sentence that was written in one language only, or that is
/// quoted in another one's, does not compile.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Text {
    english: Box<str>,
    /// None where it is the same as in English.
    chinese: Option<Box<str>>,
}

impl Text {
    /// A sentence in both languages. [`text!`] is the usual way to write one.
    pub fn new(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self { english: english.into().into(), chinese: Some(chinese.into().into()) }
    }

    /// What reads the same in every language: code, and the words of a library.
    pub fn verbatim(words: impl Into<String>) -> Self {
        Self { english: words.into().into(), chinese: None }
    }

    /// A sentence that quotes other ones, made for each language in turn.
    pub fn each(words: impl Fn(Language) -> String) -> Self {
        Self::new(words(Language::English), words(Language::Chinese))
    }

    /// The sentence in English.
    pub fn english(&self) -> &str {
        &self.english
    }

    /// The sentence in a language, or in English where there is none.
    pub fn in_language(&self, language: Language) -> &str {
        match (language, &self.chinese) {
            (Language::Chinese, Some(chinese)) => chinese,
            _ => &self.english,
        }
    }

    /// The sentence changed in the same way in every language.
    #[must_use]
    pub fn map(self, change: impl Fn(String) -> String) -> Self {
        let change = |words: Box<str>| change(words.into()).into();
        Self { english: change(self.english), chinese: self.chinese.map(change) }
    }
}

impl PartialEq<str> for Text {
    fn eq(&self, english: &str) -> bool {
        *self.english == *english
    }
}

impl PartialEq<&str> for Text {
    fn eq(&self, english: &&str) -> bool {
        *self.english == **english
    }
}

/// A [`Text`] from a format string in English and one in Chinese, each with what `format!` may name in it. The texts
/// among that are named once more behind the two: each is quoted in the language of the sentence around it.
#[macro_export]
#[doc(hidden)]
macro_rules! __text {
    ($english:literal, $chinese:literal $(, $quoted:ident)* $(,)?) => {
        $crate::text::Text::new(
            {
                $(let $quoted = $quoted.english();)*
                format!($english)
            },
            {
                $(let $quoted = $quoted.in_language($crate::text::Language::Chinese);)*
                format!($chinese)
            },
        )
    };
}
pub use __text as text;

/// The hint that says what to type.
pub fn write(line: impl std::fmt::Display) -> Text {
    text!("write `{line}`", "请写成 `{line}`")
}

/// The hint that names what was probably meant.
pub fn did_you_mean(meant: impl std::fmt::Display) -> Text {
    text!("did you mean `{meant}`?", "是不是想写 `{meant}`？")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locales() {
        for locale in ["zh", "zh_CN.UTF-8", "zh-Hans-CN", "ZH_tw", "zh.GB2312"] {
            assert_eq!(Language::of_locale(locale), Language::Chinese, "{locale}");
        }
        for locale in ["", "C", "C.UTF-8", "POSIX", "en_US.UTF-8", "zha", "de-zh"] {
            assert_eq!(Language::of_locale(locale), Language::English, "{locale}");
        }
    }

    #[test]
    fn both_languages_quote_the_same() {
        let path = "/关于";
        let text = text!("no page at `{path}`", "`{path}` 没有页面");
        assert_eq!(text.in_language(Language::Chinese), "`/关于` 没有页面");
        assert_eq!(text, "no page at `/关于`");
        assert_eq!(Text::verbatim("ok").in_language(Language::Chinese), "ok");
    }

    #[test]
    fn a_text_is_quoted_in_its_language() {
        let what = text!("a tab", "制表符");
        let text = text!("{what} is hidden here", "这里有{what}", what);
        assert_eq!(text, "a tab is hidden here");
        assert_eq!(text.in_language(Language::Chinese), "这里有制表符");
        let each = Text::each(|language| format!("--host: {}", what.in_language(language)));
        assert_eq!(each.in_language(Language::Chinese), "--host: 制表符");
    }
}
