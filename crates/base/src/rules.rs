//! The rules that a portal is judged by: their names, how much each weighs, and what its owner may decide about that.
//!
//! A rule's page in `docs/rules` says why it exists and what to do. `config` judges what stands in `routes.toml`, and
//! `check` the documents that come of it.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};

use crate::text::{Language, Text, text};

/// What parts the two languages of a rule's page.
const CHINESE: &str = "\n## 中文\n";

/// How much a complaint weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Severity {
    /// The build cannot go on: nothing is published.
    Error,
    /// The build goes on, but the result is probably not what its author wants.
    Warning,
    /// Nothing is wrong with the site, but with what is around it there could be more: nobody is to be stopped by it.
    Note,
}

impl Severity {
    /// What programs know it by.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

/// How much breaking a rule weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing is published.
    Error,
    /// It is told.
    Warning,
    /// It is not looked at.
    Off,
}

impl Level {
    /// The names that `[check]` knows levels by.
    pub const NAMES: [(&'static str, Self); 3] =
        [("error", Self::Error), ("warning", Self::Warning), ("off", Self::Off)];

    /// The level of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, level)| *level)
    }
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Self {
        match severity {
            Severity::Error => Self::Error,
            Severity::Warning => Self::Warning,
            Severity::Note => Self::Off,
        }
    }
}

/// Defines [`Rule`] and what is known of each rule, so that neither can lack what the other has.
macro_rules! rules {
    ($($variant:ident $name:literal $freedom:ident $english:literal $chinese:literal)*) => {
        /// Something that a portal is judged by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum Rule {
            $(#[doc = $english] $variant,)*
        }

        impl Rule {
            /// Every rule.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The name by which people know it: `duplicate-title`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// What it says, in one sentence without a full stop.
            pub fn summary(self) -> Text {
                match self { $(Self::$variant => text!($english, $chinese),)* }
            }

            /// Its page in `docs/rules`, in both languages.
            fn page_in_both(self) -> &'static str {
                match self { $(Self::$variant => include_str!(concat!("../../../docs/rules/", $name, ".md")),)* }
            }

            fn freedom(self) -> Freedom {
                match self { $(Self::$variant => Freedom::$freedom,)* }
            }
        }
    };
}

/// What breaking a rule comes to, and who decides that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Freedom {
    /// An error: the portal could not be built, or not safely.
    Fixed,
    /// An error unless the portal's owner says otherwise.
    Error,
    /// A warning unless the portal's owner says otherwise.
    Warning,
}

rules! {
    PathSyntax "path-syntax" Fixed
        "a path is written so that browsers, servers and disks read it alike"
        "路径的写法要让浏览器、服务器和磁盘有同样的理解"
    DuplicatePath "duplicate-path" Fixed
        "no two routes are the same file on any system"
        "两条路由不能对应同一个文件"
    ReservedPath "reserved-path" Fixed
        "no route takes an address that is needed for something else"
        "路由不能占用另有用途的地址"
    UnportablePath "unportable-path" Warning
        "every path can be stored on every system"
        "路径在各种系统上都能存成文件"
    NoHome "no-home" Warning
        "the portal has a home page"
        "门户要有首页"
    DroppedUrl "dropped-url" Error
        "what was published once leads somewhere for good, or is given up on purpose"
        "发布过的地址要一直有效，除非有意停用"
    UnsafeRedirect "unsafe-redirect" Fixed
        "a redirect leads to a page of the portal, or over an encrypted connection to a host that is plain to see"
        "跳转的目标是本站页面，或者是经加密连接、一眼能看清的站点"
    RedirectLoop "redirect-loop" Fixed
        "redirects do not lead in a circle"
        "跳转不能绕圈"
    RedirectChain "redirect-chain" Warning
        "a redirect leads to its end at once"
        "跳转要一步到位"
    RedirectNowhere "redirect-nowhere" Error
        "a redirect within the portal leads to something that is there"
        "站内跳转的目标必须存在"
    RedirectHost "redirect-host" Error
        "redirects leave the portal only for hosts that it names"
        "跳出本站时，只能去门户列出的站点"
    LookAlikeHost "look-alike-host" Error
        "no host's name looks like another one's"
        "站点的名字不能与别的名字形似"
    MissingTitle "missing-title" Warning
        "every page has a title of its own"
        "每个页面都有自己的标题"
    DuplicateTitle "duplicate-title" Warning
        "no two pages have the same title"
        "两个页面不用同一个标题"
    EntityInText "entity-in-text" Warning
        "titles and descriptions hold the characters themselves, not codes for them"
        "标题和描述直接写字符本身，而不是字符的代码"
    PlaceholderText "placeholder-text" Warning
        "titles and descriptions hold nothing that was left to be filled in"
        "标题和描述里没有忘了填写的内容"
    RepeatedProduct "repeated-product" Warning
        "a title names the product once"
        "标题里产品名只出现一次"
    LongTitle "long-title" Warning
        "a title fits where titles are shown"
        "标题的长度要能完整显示"
    MissingDescription "missing-description" Warning
        "every page that search engines may list has a description"
        "允许搜索引擎收录的页面都有描述"
    LongDescription "long-description" Warning
        "a description fits where search engines show it"
        "描述的长度要能在搜索结果里完整显示"
    BrokenLink "broken-link" Error
        "what a page links within the portal is there"
        "页面里的站内链接都有目标"
    BrokenAnchor "broken-anchor" Warning
        "a link to a part of a page finds that part"
        "指向页面某一部分的链接能找到那一部分"
    LinkWithoutBase "link-without-base" Error
        "links within a portal that lives in a folder lead into that folder"
        "门户位于子目录时，站内链接都要在这个目录里"
    MissingAlt "missing-alt" Warning
        "every image has a text for those who do not see it"
        "每张图片都有替代文字"
    SkippedHeading "skipped-heading" Warning
        "headings go down one level at a time"
        "标题层级逐级向下，不跳级"
    DuplicateId "duplicate-id" Warning
        "no two elements of a page have the same id"
        "同一个页面里，id 不重复"
    LabelWithoutField "label-without-field" Warning
        "every label is for a field that is there"
        "每个 label 指向的输入框都存在"
    InvalidNesting "invalid-nesting" Error
        "no element stands in one that cannot hold it, so browsers read a page as React rendered it"
        "元素不能放在装不下它的元素里，这样浏览器读到的页面才与 React 渲染的一致"
    EmptyPage "empty-page" Error
        "every page shows something"
        "每个页面都有看得见的内容"
    UnusedPage "unused-page" Warning
        "every page file has a route"
        "每个页面文件都有对应的网址"
    UnknownCss "unknown-css" Warning
        "style sheets have properties and values that browsers know"
        "样式表里的属性和值浏览器都认识"
    ExpiredSecurity "expired-security" Warning
        "what security.txt says has not expired"
        "security.txt 的内容没有过期"
    HostLimit "host-limit" Warning
        "a platform can do what the portal asks of it"
        "门户的要求，托管平台都做得到"
}

impl Rule {
    /// The rule of a name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|rule| rule.name() == name)
    }

    /// Its page in a language, as Markdown without the title.
    pub fn page(self, language: Language) -> &'static str {
        let page = self.page_in_both();
        let page = page.split_once('\n').map_or(page, |(_, rest)| rest);
        let (english, chinese) = page.split_once(CHINESE).unwrap_or((page, page));
        match language {
            Language::English => english.trim(),
            Language::Chinese => chinese.trim(),
        }
    }

    /// How much breaking it weighs where nobody has decided otherwise.
    pub fn default_severity(self) -> Severity {
        match self.freedom() {
            Freedom::Fixed | Freedom::Error => Severity::Error,
            Freedom::Warning => Severity::Warning,
        }
    }

    /// Whether a portal's owner may decide how much it weighs.
    pub fn can_change(self) -> bool {
        self.freedom() != Freedom::Fixed
    }

    /// Whether a build tells of its warnings: of those about addresses and hosts. Those of the other rules are for
    /// `portalgen check`, which looks at more than a build needs to.
    pub fn is_told_by_builds(self) -> bool {
        use Rule::{
            DroppedUrl, EmptyPage, HostLimit, InvalidNesting, LookAlikeHost, NoHome, RedirectChain, RedirectHost,
            RedirectNowhere, UnknownCss, UnportablePath, UnusedPage,
        };
        matches!(
            self,
            UnportablePath
                | NoHome
                | DroppedUrl
                | RedirectChain
                | RedirectNowhere
                | RedirectHost
                | LookAlikeHost
                | HostLimit
                | InvalidNesting
                | EmptyPage
                | UnknownCss
                | UnusedPage
        )
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What the portal's owner has decided, in `[check]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Levels(BTreeMap<Rule, Level>);

impl Levels {
    /// Decides how much breaking a rule weighs.
    pub fn set(&mut self, rule: Rule, level: Level) {
        self.0.insert(rule, level);
    }

    /// How much breaking a rule weighs.
    pub fn of(&self, rule: Rule) -> Level {
        self.decided(rule).unwrap_or_else(|| rule.default_severity().into())
    }

    /// What was decided about a rule, if anything was.
    pub(crate) fn decided(&self, rule: Rule) -> Option<Level> {
        self.0.get(&rule).copied()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_unique_and_lead_back() {
        let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
        assert_eq!(names.len(), Rule::ALL.len());
        assert!(Rule::ALL.iter().all(|rule| Rule::of_name(rule.name()) == Some(*rule)));
    }

    #[test]
    fn every_rule_has_a_page_in_each_language() {
        for rule in Rule::ALL {
            let [english, chinese] = Language::ALL.map(|language| rule.page(language));
            assert!(english.len() > 200 && english.contains("**Level.**"), "{rule}");
            assert!(chinese.len() > 100 && !chinese.contains("**Level.**") && !chinese.contains("# "), "{rule}");
        }
    }
}
