//! The sections of `routes.toml`: which keys there are, where they may stand, and of which type they are.
//!
//! Written by hand instead of derived, because a derived reader stops at its first mistake. This one notes the mistake,
//! takes the value for what was probably meant, and reads on.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use schemars::JsonSchema;
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{
    Platform,
    findings::Findings,
    kind::{self, Kind},
    spelling,
    value::Value,
};
use crate::{
    diagnostic::{Diagnostic, Place, SourceText, did_you_mean},
    rules::{Level, Levels, Rule},
    text::{self, Text, text, write},
};

/// `routes.toml` as it was written: types are right, meaning is unchecked.
#[derive(Debug, Default)]
pub(crate) struct File {
    pub(crate) portal: Option<PortalSection>,
    pub(crate) not_found: Option<NotFoundSection>,
    pub(crate) site: Option<SiteSection>,
    pub(crate) security: Option<SecuritySection>,
    pub(crate) build: Option<BuildSection>,
    pub(crate) budget: Option<BudgetSection>,
    pub(crate) deploy: Option<DeploySection>,
    pub(crate) check: CheckSection,
    pub(crate) routes: Vec<RouteSection>,
    /// Whether something stands where routes belong that could not be read as one.
    pub(crate) has_unreadable_routes: bool,
}

/// Defines a section: its keys, how it is read, and what editors that know its schema say about it, in English and in
/// Chinese.
macro_rules! section {
    (
        $(#[$meta:meta])*
        $name:ident, $words:literal {
            $($(#[$key_meta:meta])* $key:ident: $type:ty = $english:literal $chinese:literal)*
        }
    ) => {
        #[derive(Debug, JsonSchema)]
        #[schemars(deny_unknown_fields)]
        $(#[$meta])*
        pub(crate) struct $name {
            /// Where the section begins.
            #[allow(dead_code, reason = "of some sections only the values are ever pointed at")]
            #[schemars(skip)]
            pub(crate) header: Place,
            $(
                #[doc = $english]
                #[schemars(extend("x-zh" = $chinese))]
                $(#[$key_meta])*
                pub(crate) $key: Option<$type>,
            )*
        }

        impl $name {
            const KEYS: &[&str] = &[$(stringify!($key)),*];
            const KINDS: &[(&str, Kind)] = &[$((stringify!($key), <$type>::KIND)),*];

            fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, span: Range<usize>) -> Self {
                let entries = reader.entries($words, Self::KEYS, table);
                Self { header: reader.place(&span), $($key: <$type>::read(reader, &entries, stringify!($key)),)* }
            }
        }
    };
}

section! {
    #[doc = "Where the portal lives, and what it is called."]
    #[schemars(extend("x-zh" = "门户的地址和名称。"))]
    PortalSection, "`[portal]`" {
        #[schemars(length(min = 1))]
        product: Value =
            "The product's name: the value of `{product}`, and the title of pages that have none."
            "产品名：`{product}` 的值，也是没有标题的页面的标题。"
        #[schemars(regex(pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://"), example = "https://chat.example.com")]
        host: Value =
            "Where people sign in: the value of `{host}`. Begins with `https://`."
            "登录和注册所在的站点：`{host}` 的值，以 `https://` 开头。"
        #[schemars(regex(pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://"), example = "https://www.example.com")]
        origin: Value =
            "Where the portal itself is served, for the canonical links that search engines follow."
            "本门户自己的公开地址，用于搜索引擎认的规范链接。"
        #[schemars(example = "/app")]
        base: Value =
            "The folder of the origin that the portal is served from. Default: `/`."
            "门户在该地址下的目录。默认 `/`。"
        #[schemars(extend("enum" = ["always", "never"]))]
        slash: Value =
            "Whether addresses of pages end in a slash. Default: `always`, which works on any static server."
            "页面的网址是否以 `/` 结尾。默认 `always`，任何静态服务器都支持。"
        #[schemars(regex(pattern = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"), example = "zh-CN")]
        lang: Value =
            "The language of the pages, as a tag: `en`, `zh-CN`. Default: `en`."
            "页面的语言标签：`en`、`zh-CN`。默认 `en`。"
        #[schemars(example = ["pay.example.com", "*.example.org"])]
        allow_hosts: Vec<Value> =
            "Hosts that redirects may lead to besides that of `{host}`; `*.` stands for every name below."
            "除 `{host}` 之外，允许跳转到的站点；`*.` 表示其下的所有名字。"
    }
}

section! {
    #[doc = "The page for unknown addresses."]
    #[schemars(extend("x-zh" = "访问不存在的地址时看到的页面。"))]
    NotFoundSection, "`[not_found]`" {
        #[schemars(length(min = 1))]
        title: Value =
            "Its title. Default: `404`."
            "它的标题。默认 `404`。"
        #[schemars(length(min = 1), example = "pages/404.tsx")]
        component: Value =
            "Its file, below `site/`. Default: `pages/404.tsx`, if there is one."
            "它的文件，位于 `site/` 下。默认是 `pages/404.tsx`（如果有的话）。"
    }
}

section! {
    #[doc = "What search engines, social networks and home screens are told about the portal."]
    #[schemars(extend("x-zh" = "搜索引擎、社交平台和手机主屏幕看到的门户信息。"))]
    SiteSection, "`[site]`" {
        #[schemars(length(min = 1), example = "icon.svg")]
        icon: Value =
            "The image that all icons are made of, below `site/`: an SVG, or a square PNG of at least 512 pixels."
            "用来生成所有图标的图片，位于 `site/` 下：SVG，或者至少 512 像素的正方形 PNG。"
        #[schemars(length(min = 1), example = "share.png")]
        image: Value =
            "The image that is shown where a page is shared: a file in `site/public`, or a URL."
            "页面被分享时显示的图片：`site/public` 里的文件，或者网址。"
        #[schemars(regex(pattern = r"^@[A-Za-z0-9_]{1,15}$"), example = "@acme")]
        twitter: Value =
            "The portal's account on X, with its `@`."
            "门户在 X 上的帐号，以 `@` 开头。"
        #[schemars(regex(pattern = r"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"), example = "#0a6c74")]
        theme_color: Value =
            "The colour of the browser's frame around the pages."
            "浏览器在页面周围使用的颜色。"
        #[schemars(regex(pattern = r"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"), example = "#ffffff")]
        background_color: Value =
            "The colour that shows while the portal starts from a home screen."
            "从手机主屏幕打开门户时，加载期间显示的颜色。"
    }
}

section! {
    #[doc = "Where to report a vulnerability: `/.well-known/security.txt`."]
    #[schemars(extend("x-zh" = "安全漏洞的报告方式：`/.well-known/security.txt`。"))]
    SecuritySection, "`[security]`" {
        #[schemars(required, length(min = 1), example = ["mailto:security@example.com"])]
        contact: Vec<Value> =
            "Where to write to: URLs that begin with `mailto:`, `https:` or `tel:`."
            "联系方式：以 `mailto:`、`https:` 或 `tel:` 开头的网址。"
        #[schemars(required, regex(pattern = r"^\d{4}-\d{2}-\d{2}$"), example = "2030-12-31")]
        expires: Value =
            "The day after which nobody shall rely on this any more."
            "这些信息的有效期，过了这一天就不应再使用。"
        #[schemars(regex(pattern = r"^https://"), example = "https://www.example.com/security-policy")]
        policy: Value =
            "Where the rules for reports stand."
            "漏洞报告须知的网址。"
    }
}

section! {
    #[doc = "How the portal is built."]
    #[schemars(extend("x-zh" = "怎样生成门户。"))]
    BuildSection, "`[build]`" {
        #[schemars(range(max = 100))]
        keep: u32 =
            "Of how many earlier builds the scripts and styles stay, for pages that are still open. Default: 0."
            "保留之前多少次生成的脚本和样式，供还开着的页面使用。默认 0。"
        integrity: bool =
            "Whether browsers check scripts and styles against their hashes. Default: `false`."
            "是否让浏览器用哈希校验脚本和样式。默认 `false`。"
    }
}

section! {
    #[doc = "How much each page may load before it works, compressed with gzip."]
    #[schemars(extend("x-zh" = "每个页面最多加载多少内容，按 gzip 压缩后计算。"))]
    BudgetSection, "`[budget]`" {
        #[schemars(length(min = 1), example = "85 kB")]
        js: Value =
            "Scripts: `85 kB`."
            "脚本：`85 kB`。"
        #[schemars(length(min = 1), example = "20 kB")]
        css: Value =
            "Style sheets: `20 kB`."
            "样式：`20 kB`。"
    }
}

section! {
    #[doc = "Where the output folder is served."]
    #[schemars(extend("x-zh" = "生成的文件夹部署在哪里。"))]
    DeploySection, "`[deploy]`" {
        #[schemars(extend("items" = { "enum": Platform::NAMES.map(|(name, _)| name) }))]
        platform: Vec<Value> =
            "The platforms, for which redirects, headers and settings are written."
            "托管平台，会为它们写好跳转、响应头和配置。"
        #[schemars(length(min = 1), example = "max-age=31536000; includeSubDomains")]
        strict_transport_security: Value =
            "The header `Strict-Transport-Security`. Without it there is none: it cannot be taken back."
            "响应头 `Strict-Transport-Security` 的值。不写就没有：它一旦发出就收不回来。"
        #[schemars(example = ["connect-src https://api.example.com"])]
        csp: Vec<Value> =
            "What the content security policy allows besides what the build finds in the pages."
            "除了生成时在页面里找到的内容之外，内容安全策略还允许什么。"
    }
}

section! {
    #[doc = "An address of the portal: a page, a redirect, or one that has been given up."]
    #[schemars(extend("x-zh" = "门户的一个地址：一个页面、一个跳转，或者一个已停用的地址。"))]
    #[schemars(extend("not" = { "anyOf": [
        { "required": ["component", "redirect"] },
        { "required": ["retired", "redirect"], "properties": { "retired": { "enum": [true] } } },
        { "required": ["retired", "component"], "properties": { "retired": { "enum": [true] } } },
        { "required": ["status"], "not": { "required": ["redirect"] } },
    ] }))]
    RouteSection, "`[[route]]`" {
        #[schemars(required, regex(pattern = r"^(/|\{)"), example = "/about")]
        path: Value =
            "The address, beginning with `/`. Each route has another one."
            "网址路径，以 `/` 开头，不能重复。"
        #[schemars(length(min = 1))]
        name: Value =
            "What code calls the route."
            "路由名，可以不写。"
        #[schemars(length(min = 1))]
        title: Value =
            "The title, in the tab of the browser and in search results."
            "页面标题，显示在浏览器标签和搜索结果里。"
        #[schemars(length(min = 1))]
        description: Value =
            "What search engines show below the title: one or two sentences."
            "搜索结果里标题下面的摘要，一两句话。"
        noindex: bool =
            "Whether search engines are asked to leave the page out. Redirects always do. Default: `false`."
            "是否请搜索引擎不要收录；跳转总是不收录。默认 `false`。"
        #[schemars(length(min = 1), example = "pages/about.tsx")]
        component: Value =
            "The page's file, below `site/`. Default: what follows from the path, `pages/about.tsx` for `/about`."
            "页面文件，位于 `site/` 下。默认由路径得出：`/about` 对应 `pages/about.tsx`。"
        #[schemars(length(min = 1), example = "{host}/login")]
        redirect: Value =
            "Where the address leads instead of showing a page: a path of the portal, or a URL with `https://`."
            "不显示页面，而是转到这里：本站的路径，或以 `https://` 开头的网址。"
        #[schemars(extend("enum" = STATUSES))]
        status: u32 =
            "How servers redirect. Default: 301 within the portal, which browsers remember, and 302 to other hosts."
            "服务器跳转时的状态码。默认：站内 301（浏览器会记住），跳到别的站点 302。"
        retired: bool =
            "Whether the address has been given up on purpose: nothing is there any more. Default: `false`."
            "这个地址是否已经有意停用：那里不再有内容。默认 `false`。"
        #[schemars(regex(pattern = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"), example = "pt-BR")]
        lang: Value =
            "The language of this page, if it is not the portal's."
            "这个页面的语言（如果和门户的不同）。"
        #[schemars(example = ["/en/about"])]
        translations: Vec<Value> =
            "The paths of the same page in other languages. To name them at one of the pages is enough."
            "同一页面其他语言版本的路径。只需在其中一个页面写明。"
        #[schemars(length(min = 1), example = "about/share.png")]
        image: Value =
            "The image that is shown where this page is shared, if it is not the portal's."
            "分享这个页面时显示的图片（如果和门户的不同）。"
        #[schemars(length(min = 1), example = "100 kB")]
        budget: Value =
            "How large the scripts of this page may be, if it is not what `[budget]` says."
            "这个页面的脚本最多多大（如果和 `[budget]` 的规定不同）。"
    }
}

/// `[check]`
#[derive(Debug, Default)]
pub(crate) struct CheckSection {
    pub(crate) levels: Levels,
}

/// A type that the value of a key may have.
trait FromEntry: Sized {
    /// The value of a key, if it is there. What has the wrong type is complained about, and taken for what was probably
    /// meant.
    fn read(reader: &mut Reader<'_>, entries: &Entries<'_>, key: &str) -> Option<Self>;

    const KIND: Kind;
}

impl FromEntry for Value {
    const KIND: Kind = Kind::Text;

    fn read(reader: &mut Reader<'_>, entries: &Entries<'_>, key: &str) -> Option<Self> {
        Some(reader.text(entries.get(key)?, key))
    }
}

impl FromEntry for bool {
    const KIND: Kind = Kind::Flag;

    fn read(reader: &mut Reader<'_>, entries: &Entries<'_>, key: &str) -> Option<Self> {
        reader.flag(entries.get(key)?, key)
    }
}

impl FromEntry for u32 {
    const KIND: Kind = Kind::Number;

    fn read(reader: &mut Reader<'_>, entries: &Entries<'_>, key: &str) -> Option<Self> {
        reader.number(entries.get(key)?, key)
    }
}

impl FromEntry for Vec<Value> {
    const KIND: Kind = Kind::List;

    fn read(reader: &mut Reader<'_>, entries: &Entries<'_>, key: &str) -> Option<Self> {
        Some(reader.texts(entries.get(key)?, key))
    }
}

/// The statuses with which servers redirect.
pub(crate) const STATUSES: [u32; 4] = [301, 302, 307, 308];

pub(crate) const SECTIONS: &[&str] =
    &["portal", "not_found", "site", "security", "build", "budget", "deploy", "check", "route"];

/// The header of a section, its keys, and what kind of value each has.
type SectionKeys = (&'static str, &'static [&'static str], &'static [(&'static str, Kind)]);

/// Every section with fixed keys.
const WITH_KEYS: [SectionKeys; 8] = [
    ("[portal]", PortalSection::KEYS, PortalSection::KINDS),
    ("[[route]]", RouteSection::KEYS, RouteSection::KINDS),
    ("[not_found]", NotFoundSection::KEYS, NotFoundSection::KINDS),
    ("[site]", SiteSection::KEYS, SiteSection::KINDS),
    ("[security]", SecuritySection::KEYS, SecuritySection::KINDS),
    ("[build]", BuildSection::KEYS, BuildSection::KINDS),
    ("[budget]", BudgetSection::KEYS, BudgetSection::KINDS),
    ("[deploy]", DeploySection::KEYS, DeploySection::KINDS),
];

/// The keys of all sections.
pub(crate) fn keys() -> impl Iterator<Item = &'static str> + Clone {
    WITH_KEYS.into_iter().flat_map(|(_, keys, _)| keys).copied()
}

/// Whether a route can have a key of this name.
pub(crate) fn is_key_of_route(name: &str) -> bool {
    RouteSection::KEYS.contains(&name)
}

/// Whether the value of a key is text for people, in which any sign may be meant.
pub(crate) fn is_prose(key: &str) -> bool {
    matches!(key, "title" | "description" | "name" | "product")
}

/// What kind of value a key has, if there is such a key.
pub(crate) fn kind_of(key: &str) -> Option<Kind> {
    let kinds = WITH_KEYS.into_iter().flat_map(|(_, _, kinds)| kinds);
    kinds.into_iter().find(|(known, _)| *known == key).map(|(_, kind)| *kind)
}

/// How many headers with the same mistake are pointed out.
const REPEATED_SHOWN: usize = 8;

type Entry<'t> = &'t Spanned<DeValue<'t>>;
type Entries<'t> = BTreeMap<&'static str, Entry<'t>>;

/// Reads the tree of the file.
pub(crate) fn read(tree: &DeTable<'_>, source: &Arc<SourceText>, findings: &mut Findings) -> File {
    let mut reader = Reader { source, findings };
    let mut file = File::default();
    for (key, value) in tree {
        let name = key.get_ref().as_ref();
        match reader.section(name, &key.span(), value) {
            Some("portal") => file.portal = reader.one("portal", value, PortalSection::read),
            Some("not_found") => file.not_found = reader.one("not_found", value, NotFoundSection::read),
            Some("site") => file.site = reader.one("site", value, SiteSection::read),
            Some("security") => file.security = reader.one("security", value, SecuritySection::read),
            Some("build") => file.build = reader.one("build", value, BuildSection::read),
            Some("budget") => file.budget = reader.one("budget", value, BudgetSection::read),
            Some("deploy") => file.deploy = reader.one("deploy", value, DeploySection::read),
            Some("check") => file.check = reader.one("check", value, CheckSection::read).unwrap_or_default(),
            Some(section) => match reader.routes(value, section == name) {
                Some(routes) => file.routes.extend(routes),
                None => file.has_unreadable_routes = true,
            },
            // What stands outside of every section may be a route's.
            None => file.has_unreadable_routes |= !is_section(value),
        }
    }
    file
}

struct Reader<'a> {
    source: &'a Arc<SourceText>,
    findings: &'a mut Findings,
}

impl Reader<'_> {
    /// The section that a top-level key stands for, after complaining when it is spelt in another way.
    fn section(&mut self, name: &str, span: &Range<usize>, value: Entry<'_>) -> Option<&'static str> {
        if let Some(known) = SECTIONS.iter().find(|known| **known == name) {
            return Some(known);
        }
        if !is_section(value) {
            self.complain(span, outside(name));
            return None;
        }
        let meant = spelling::section(name);
        let error = Diagnostic::error(no_section_called(name));
        let here = || text!("here too", "这里也是");
        let error = self.repeated(value).fold(error, |error, place| error.with_related(place, here()));
        let hint = meant.map_or_else(known_sections, |meant| text::did_you_mean(header(meant)));
        self.complain(span, error.with_hint(hint));
        meant
    }

    /// The second and later headers of an array of sections, a few of them.
    fn repeated(&self, value: Entry<'_>) -> impl Iterator<Item = Place> {
        let items = value.get_ref().as_array().into_iter().flatten();
        items.skip(1).take(REPEATED_SHOWN).map(|item| self.place(&item.span()))
    }

    /// A section that the file can have once.
    fn one<T>(
        &mut self,
        name: &str,
        value: Entry<'_>,
        read: fn(&mut Self, &DeTable<'_>, Range<usize>) -> T,
    ) -> Option<T> {
        if let DeValue::Table(table) = value.get_ref() {
            return Some(read(self, table, value.span()));
        }
        let right = header(name);
        let DeValue::Array(array) = value.get_ref() else {
            self.complain(&value.span(), no_section(&right));
            return None;
        };
        let error = Diagnostic::error(text!("`[{name}]` stands in single brackets", "`[{name}]` 用单层方括号"));
        self.complain(&value.span(), error.with_hint(write(right)));
        array.iter().find_map(|item| Some(read(self, item.get_ref().as_table()?, item.span())))
    }

    /// The routes; none when something else stands in their place. If their name was misspelt, it has been told how to
    /// write it.
    fn routes(&mut self, value: Entry<'_>, is_spelt: bool) -> Option<Vec<RouteSection>> {
        match value.get_ref() {
            DeValue::Table(table) => {
                let error = Diagnostic::error(text!("a route begins with double brackets", "路由用双层方括号开头"));
                if is_spelt {
                    self.complain(&value.span(), error.with_hint(write("[[route]]")));
                }
                Some(vec![RouteSection::read(self, table, value.span())])
            }
            DeValue::Array(items) => {
                let routes: Vec<_> = items.iter().filter_map(|item| self.item(item)).collect();
                (routes.len() == items.len()).then_some(routes)
            }
            _ => {
                self.complain(&value.span(), no_section("[[route]]"));
                None
            }
        }
    }

    fn item(&mut self, item: Entry<'_>) -> Option<RouteSection> {
        if let DeValue::Table(table) = item.get_ref() {
            return Some(RouteSection::read(self, table, item.span()));
        }
        let error = Diagnostic::error(text!("this is not a route", "这不是一条路由"));
        let hint = text!("each route begins with a line `[[route]]`", "每条路由以一行 `[[route]]` 开头");
        self.complain(&item.span(), error.with_hint(hint));
        None
    }

    /// The known keys of a section. A key that is misspelt counts as the one it resembles, when that one is missing:
    /// so a slip gives one complaint, not two.
    fn entries<'t>(&mut self, section: &str, known: &[&'static str], table: &'t DeTable<'_>) -> Entries<'t> {
        let mut entries = Entries::new();
        let mut slips = Vec::new();
        for (key, value) in table {
            match known.iter().find(|known| **known == key.get_ref()) {
                Some(known) => _ = entries.insert(known, value),
                None => slips.push((key, value)),
            }
        }
        for (key, value) in slips {
            let meant = spelling::known(key.get_ref(), known.iter().copied());
            let error = match meant {
                Some(meant) => no_key(key.get_ref(), section).with_hint(text::did_you_mean(meant)),
                None if self.is_in_header(&key.span()) => nested(section),
                None => no_key(key.get_ref(), section).with_hint(advice_on(key.get_ref(), section, known)),
            };
            self.complain(&key.span(), error);
            if let Some(meant) = meant {
                entries.entry(meant).or_insert(value);
            }
        }
        entries
    }

    fn text(&mut self, entry: Entry<'_>, key: &str) -> Value {
        if let DeValue::String(text) = entry.get_ref() {
            return Value::in_file(text.as_ref(), self.source, entry.span());
        }
        let literal = self.literal(entry);
        let error = match entry.get_ref() {
            DeValue::Array(_) | DeValue::Table(_) => {
                Diagnostic::error(Kind::Text.mismatch(key)).with_hint(write(format!("{key} = \"…\"")))
            }
            _ => Diagnostic::error(text!("`{key}` is a text, which stands in quotes", "`{key}` 是文字，要放在引号里"))
                .with_hint(write(format!("{key} = \"{literal}\""))),
        };
        self.mistyped(entry.span(), error);
        Value::in_file(literal, self.source, entry.span())
    }

    fn texts(&mut self, entry: Entry<'_>, key: &str) -> Vec<Value> {
        let DeValue::Array(items) = entry.get_ref() else {
            let words = entry.get_ref().as_str().map_or_else(|| vec!["…".to_owned()], spelling::items);
            let right = Kind::List.written(&words).unwrap_or_default();
            let error = Diagnostic::error(Kind::List.mismatch(key)).with_hint(write(format!("{key} = {right}")));
            self.mistyped(entry.span(), error);
            return Vec::new();
        };
        items.iter().filter_map(|item| self.item_of_list(item, key)).collect()
    }

    fn item_of_list(&mut self, item: Entry<'_>, key: &str) -> Option<Value> {
        if let DeValue::String(text) = item.get_ref() {
            return Some(Value::in_file(text.as_ref(), self.source, item.span()));
        }
        let literal = self.literal(item);
        let error = Diagnostic::error(text!(
            "what `{key}` lists are texts, each in quotes",
            "`{key}` 列出的每一项都是文字，要各自放在引号里"
        ));
        self.mistyped(item.span(), error.with_hint(write(format!("\"{literal}\""))));
        None
    }

    fn flag(&mut self, entry: Entry<'_>, key: &str) -> Option<bool> {
        if let DeValue::Boolean(value) = entry.get_ref() {
            return Some(*value);
        }
        let error = Diagnostic::error(Kind::Flag.mismatch(key));
        let words = entry.get_ref().as_str().map_or_else(|| self.literal(entry), str::to_owned);
        let meant = kind::meant_flag(&words).unwrap_or(true);
        self.mistyped(entry.span(), error.with_hint(write(format!("{key} = {meant}"))));
        None
    }

    fn number(&mut self, entry: Entry<'_>, key: &str) -> Option<u32> {
        if let DeValue::Integer(number) = entry.get_ref()
            && let Ok(number) = u32::from_str_radix(number.as_str(), number.radix())
        {
            return Some(number);
        }
        let error = Diagnostic::error(Kind::Number.mismatch(key));
        let words = entry.get_ref().as_str().map_or_else(|| self.literal(entry), str::to_owned);
        let error = match Kind::Number.written(&[words]) {
            Some(number) => error.with_hint(write(format!("{key} = {number}"))),
            None => error,
        };
        self.mistyped(entry.span(), error);
        None
    }

    fn place(&self, span: &Range<usize>) -> Place {
        Place::new(self.source, span.clone())
    }

    /// Whether a key stands in the brackets of a section.
    fn is_in_header(&self, span: &Range<usize>) -> bool {
        let before = &self.source.text[..self.place(span).span.start];
        before.rsplit('\n').next().is_some_and(|line| line.trim_start().starts_with('['))
    }

    /// The value as it was written.
    fn literal(&self, entry: Entry<'_>) -> String {
        self.source.text[self.place(&entry.span()).span].to_owned()
    }

    fn complain(&mut self, span: &Range<usize>, error: Diagnostic) {
        let place = self.place(span);
        self.findings.add(error.at(place));
    }

    /// Whatever else is wrong with a value of the wrong type would only confuse.
    fn mistyped(&mut self, span: Range<usize>, error: Diagnostic) {
        let place = self.place(&span);
        self.findings.add_damage(error.at(place), span);
    }
}

impl CheckSection {
    fn read(reader: &mut Reader<'_>, table: &DeTable<'_>, _span: Range<usize>) -> Self {
        let mut levels = Levels::default();
        for (key, value) in table {
            if let Some((rule, level)) = reader.rule(key.get_ref(), &key.span()).zip(reader.level(value)) {
                levels.set(rule, level);
            }
        }
        Self { levels }
    }
}

impl Reader<'_> {
    /// A rule whose level may be changed.
    fn rule(&mut self, name: &str, span: &Range<usize>) -> Option<Rule> {
        let rule = Rule::of_name(name);
        let error = match rule {
            Some(rule) if rule.can_change() => return Some(rule),
            Some(_) => Diagnostic::error(text!(
                "`{name}` is always an error: the portal could not be built, or not safely",
                "`{name}` 永远是错误：否则门户无法生成，或者不安全"
            ))
            .with_hint(text!("remove this line", "请删掉这一行")),
            None => unknown_rule(name),
        };
        self.complain(span, error);
        None
    }

    fn level(&mut self, entry: Entry<'_>) -> Option<Level> {
        let level = entry.get_ref().as_str().and_then(Level::of_name);
        if level.is_none() {
            let names = Level::NAMES.map(|(name, _)| format!("`\"{name}\"`"));
            let [error, warning, off] = &names;
            let complaint = Diagnostic::error(text!(
                "a rule is {error}, {warning} or {off}",
                "规则的级别是 {error}、{warning} 或 {off}"
            ));
            let typed = entry.get_ref().as_str().unwrap_or_default();
            let meant = match entry.get_ref() {
                DeValue::Boolean(false) => Some("off"),
                _ => did_you_mean(typed, Level::NAMES.map(|(name, _)| name)),
            };
            let complaint = match meant {
                Some(meant) => complaint.with_hint(write(format!("\"{meant}\""))),
                None => complaint,
            };
            self.mistyped(entry.span(), complaint);
        }
        level
    }
}

fn unknown_rule(name: &str) -> Diagnostic {
    let error = Diagnostic::error(text!("there is no rule called `{name}`", "没有叫 `{name}` 的规则"));
    let known: Vec<&str> = Rule::ALL.iter().filter(|rule| rule.can_change()).map(|rule| rule.name()).collect();
    if let Some(meant) = did_you_mean(name, known.iter().copied()) {
        return error.with_hint(text::did_you_mean(meant));
    }
    let (english, chinese) = (listed(&known, ", "), listed(&known, "、"));
    error.with_hint(text!("the rules are {english}", "规则有 {chinese}"))
}

/// The header of a section.
pub(crate) fn header(section: &str) -> String {
    if section == "route" { "[[route]]".to_owned() } else { format!("[{section}]") }
}

/// A key above the first section, or below the wrong one.
fn outside(key: &str) -> Diagnostic {
    let error = Diagnostic::error(text!("`{key}` stands outside of every section", "`{key}` 不在任何小节里"));
    let near = |keys: &[&'static str]| did_you_mean(key, keys.iter().copied()).is_some();
    let owner = WITH_KEYS.into_iter().find(|(_, keys, _)| near(keys)).map(|(header, ..)| header);
    error.with_hint(match owner {
        Some("[[route]]") => text!("move it below a line `[[route]]`", "请把它移到一行 `[[route]]` 下面"),
        Some(header) => text!("move it below the line `{header}`", "请把它移到 `{header}` 这一行下面"),
        None => known_sections(),
    })
}

/// What to say of the name of a section that there is not.
pub(crate) fn no_section_called(name: &str) -> Text {
    text!("there is no section called `{name}`", "没有叫 `{name}` 的小节")
}

pub(crate) fn known_sections() -> Text {
    text!(
        "the sections are `[portal]`, `[[route]]`, `[not_found]`, `[site]`, `[security]`, `[build]`, `[budget]`, \
         `[deploy]` and `[check]`",
        "小节有 `[portal]`、`[[route]]`、`[not_found]`、`[site]`、`[security]`、`[build]`、`[budget]`、`[deploy]` 和 \
         `[check]`"
    )
}

/// A value in the place of a section.
fn no_section(header: &str) -> Diagnostic {
    Diagnostic::error(text!("`{header}` is a section", "`{header}` 是一个小节")).with_hint(text!(
        "its name stands on a line of its own, its keys on the lines below",
        "它的名字单独写一行，内容写在下面各行"
    ))
}

fn is_section(value: Entry<'_>) -> bool {
    matches!(value.get_ref(), DeValue::Table(_) | DeValue::Array(_))
}

fn no_key(key: &str, section: &str) -> Diagnostic {
    Diagnostic::error(text!("{section} has no key called `{key}`", "{section} 里没有 `{key}` 这一项"))
}

/// What to do about a key that the section does not have.
fn advice_on(key: &str, section: &str, known: &[&str]) -> Text {
    if let Some((header, ..)) = WITH_KEYS.into_iter().find(|(_, keys, _)| keys.contains(&key)) {
        return text!("`{key}` belongs below a line `{header}`", "`{key}` 要写在 `{header}` 这一行下面");
    }
    if key.starts_with('/') && section == "`[[route]]`" {
        return text!(
            "a route is a line `[[route]]`, with a line `path = \"{key}\"` below it",
            "一条路由是一行 `[[route]]`，下面是一行 `path = \"{key}\"`"
        );
    }
    let (english, chinese) = (listed(known, ", "), listed(known, "、"));
    text!("the keys are {english}", "可以写的有 {chinese}")
}

/// `[[route.about]]`
fn nested(section: &str) -> Diagnostic {
    let hint = text!("write {section}, and the rest on lines below it", "请写成 {section}，其余内容写在下面各行");
    Diagnostic::error(text!("the name of a section stands alone in its brackets", "方括号里只写小节的名字"))
        .with_hint(hint)
}

fn listed(names: &[&str], separator: &str) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(separator)
}
