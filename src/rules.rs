//! The rules that a portal is judged by: their names, how much each weighs, and what its owner may decide about that.
//!
//! A rule's page in `docs/rules` says why it exists and what to do. `config` judges what stands in `routes.toml`, and
//! `check` the documents that come of it.

use std::{collections::BTreeMap, fmt};

use crate::{
    diagnostic::{Diagnostic, Severity},
    text::{Text, text},
};

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
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
            DroppedUrl, HostLimit, LookAlikeHost, NoHome, RedirectChain, RedirectHost, RedirectNowhere, UnportablePath,
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
    pub(crate) fn set(&mut self, rule: Rule, level: Level) {
        self.0.insert(rule, level);
    }

    /// How much breaking a rule weighs.
    pub fn of(&self, rule: Rule) -> Level {
        self.0.get(&rule).copied().unwrap_or_else(|| rule.default_severity().into())
    }

    /// The complaint with the weight that the portal's owner gives its rule; none when that is off. What no rule is behind
    /// stays as it is.
    pub(crate) fn weigh(&self, complaint: Diagnostic) -> Option<Diagnostic> {
        let Some(rule) = complaint.rule else { return Some(complaint) };
        let severity = match self.of(rule) {
            // Some complaints weigh more on some systems.
            _ if !self.0.contains_key(&rule) => complaint.severity,
            Level::Error => Severity::Error,
            Level::Warning => Severity::Warning,
            Level::Off => return None,
        };
        Some(Diagnostic { severity, ..complaint })
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
    fn the_owner_decides() {
        let mut levels = Levels::default();
        let complaint = || Diagnostic::of(Rule::DuplicateTitle, Text::verbatim("x"));
        assert_eq!(levels.weigh(complaint()).map(|complaint| complaint.severity), Some(Severity::Warning));
        levels.set(Rule::DuplicateTitle, Level::Error);
        assert_eq!(levels.weigh(complaint()).map(|complaint| complaint.severity), Some(Severity::Error));
        levels.set(Rule::DuplicateTitle, Level::Off);
        assert_eq!(levels.weigh(complaint()), None);
        assert!(levels.weigh(Diagnostic::error(Text::verbatim("x"))).is_some());
    }
}
