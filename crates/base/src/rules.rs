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
        "paths are written so that browsers, servers and file systems agree on them"
        "网址的写法要让浏览器、服务器和文件系统的理解一致"
    DuplicatePath "duplicate-path" Fixed
        "every route has a unique path, on every file system"
        "网址不能重复"
    ReservedPath "reserved-path" Fixed
        "no route uses a reserved address"
        "不能占用另有用途的网址"
    UnportablePath "unportable-path" Warning
        "every path can be stored on every system"
        "网址在各种系统上都能存成文件"
    NoHome "no-home" Warning
        "the portal has a home page"
        "门户要有首页"
    DroppedUrl "dropped-url" Error
        "published addresses keep working, or are retired"
        "发布过的网址要一直有效，除非停用"
    UnsafeRedirect "unsafe-redirect" Fixed
        "redirects lead to a page of the portal, or over an encrypted connection to a host that is clearly visible"
        "只能跳转到本站页面，或者 `https://` 开头、能看清名字的站点"
    RedirectLoop "redirect-loop" Fixed
        "redirects are not circular"
        "不能循环跳转"
    RedirectChain "redirect-chain" Warning
        "redirects lead straight to their destination"
        "跳转要一步到位"
    RedirectNowhere "redirect-nowhere" Error
        "redirects within the portal lead to an existing page or file"
        "站内跳转的目标必须存在"
    RedirectHost "redirect-host" Error
        "redirects leave the portal only for allowed hosts"
        "只能跳转到允许的站点"
    LookAlikeHost "look-alike-host" Error
        "no host name looks like another one"
        "站点名不能与别的站点名形似"
    FullWidthUrl "full-width-url" Warning
        "URLs are written in half-width characters"
        "完整的网址用半角字符书写"
    MissingTitle "missing-title" Warning
        "every page has a title"
        "每个页面都有标题"
    DuplicateTitle "duplicate-title" Warning
        "no two pages have the same title"
        "各页面的标题不重复"
    EntityInText "entity-in-text" Warning
        "titles and descriptions contain characters, not HTML entities"
        "标题和描述里直接写字符，不写 HTML 实体"
    PlaceholderText "placeholder-text" Warning
        "titles and descriptions contain no placeholder text"
        "标题和描述里没有还没填写的内容"
    MarkupInText "markup-in-text" Warning
        "titles and descriptions are plain text, without tags"
        "标题和描述是纯文字，不写标签"
    ForeignPlaceholder "foreign-placeholder" Warning
        "titles and descriptions contain no placeholder syntax of other tools"
        "标题和描述里没有其他工具的占位写法"
    UnseenCharacter "unseen-character" Warning
        "titles and descriptions contain no invisible characters"
        "标题和描述里没有看不见的字符"
    SpoiledText "spoiled-text" Warning
        "titles and descriptions contain no formulas, spreadsheet errors or enclosing quotes"
        "标题和描述不用引号括起来，也不是表格里的公式或错误值"
    AddressAsTitle "address-as-title" Warning
        "a title is not the address of its page"
        "标题不能就是页面的网址"
    RepeatedProduct "repeated-product" Warning
        "titles contain the product name only once"
        "标题里产品名只出现一次"
    LongTitle "long-title" Warning
        "titles are short enough to be shown in full"
        "标题不能太长，要能完整显示"
    MissingDescription "missing-description" Warning
        "every page that search engines may list has a description"
        "允许搜索引擎收录的页面都有描述"
    LongDescription "long-description" Warning
        "descriptions are short enough to be shown in full in search results"
        "描述不能太长，要能在搜索结果里完整显示"
    BrokenLink "broken-link" Error
        "links within the portal lead to an existing page or file"
        "站内链接都能打开"
    BrokenAnchor "broken-anchor" Warning
        "links to a part of a page lead to an existing `id`"
        "指向页面某一部分的链接，对应的 `id` 都存在"
    LinkWithoutBase "link-without-base" Error
        "if the portal is served from a folder, its links stay in that folder"
        "门户位于子目录时，站内链接都指向这个目录"
    MissingAlt "missing-alt" Warning
        "every image has a text alternative"
        "每张图片都有替代文字"
    SkippedHeading "skipped-heading" Warning
        "headings go down one level at a time"
        "标题层级逐级向下，不跳级"
    DuplicateId "duplicate-id" Warning
        "no two elements of a page have the same id"
        "同一个页面里，id 不重复"
    LabelWithoutField "label-without-field" Warning
        "every label refers to an existing field"
        "每个 label 指向的输入框都存在"
    InvalidNesting "invalid-nesting" Error
        "elements are nested as HTML allows, so that browsers read pages as React rendered them"
        "元素的嵌套要符合 HTML 规定，浏览器读到的页面才与 React 渲染的一致"
    EmptyPage "empty-page" Error
        "every page shows something"
        "每个页面都有看得见的内容"
    UnusedPage "unused-page" Warning
        "every page file has a route"
        "每个页面文件都有对应的网址"
    UnknownCss "unknown-css" Warning
        "style sheets use properties and values that browsers support"
        "样式表里的属性和值浏览器都支持"
    ExpiredSecurity "expired-security" Warning
        "`security.txt` has not expired"
        "`security.txt` 没有过期"
    HostLimit "host-limit" Warning
        "the portal stays within the limits of its hosting platforms"
        "不超出托管平台的限制"
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
            DroppedUrl, EmptyPage, FullWidthUrl, HostLimit, InvalidNesting, LookAlikeHost, NoHome, RedirectChain,
            RedirectHost, RedirectNowhere, UnknownCss, UnportablePath, UnusedPage,
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
                | FullWidthUrl
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
