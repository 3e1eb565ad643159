//! The declaration of `routes.toml`: its sections and their keys, the kind of each value, and what the schema says of them.

use schemars::JsonSchema;

use portalgen_base::{
    diagnostic::Place,
    text::{Text, text},
};

use super::{
    kind::Kind,
    platform::HostingPlatform,
    value::{Pairs, Value},
};

/// A section whose keys are fixed.
pub(crate) trait Section: Sized {
    /// The line that begins the section: `[portal]`.
    const HEADER: &str;
    const KEYS: &'static [&'static str];
    const KINDS: &'static [(&'static str, Kind)];

    /// The section that begins at `header`, with the values that a reader finds for its keys.
    fn read(reader: &mut impl KeyReader, header: Place) -> Self;
}

/// A reader of the values of one section. It gives nothing for a key that is not there, and notes a value of the wrong kind
/// as a mistake.
pub(crate) trait KeyReader {
    fn text(&mut self, key: &str) -> Option<Value>;
    fn flag(&mut self, key: &str) -> Option<bool>;
    fn number(&mut self, key: &str) -> Option<u32>;
    fn port(&mut self, key: &str) -> Option<u16>;
    fn texts(&mut self, key: &str) -> Option<Vec<Value>>;
    fn pairs(&mut self, key: &str) -> Option<Pairs>;
}

/// A type that stands for a kind of value.
trait OfKind: Sized {
    const KIND: Kind;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self>;
}

/// Defines a section: its keys, how it is read, and what editors that know its schema say about it, in English and in
/// Chinese.
macro_rules! section {
    (
        $(#[$meta:meta])*
        $name:ident, $header:literal {
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

        impl Section for $name {
            const HEADER: &str = $header;
            const KEYS: &'static [&'static str] = &[$(stringify!($key)),*];
            const KINDS: &'static [(&'static str, Kind)] = &[$((stringify!($key), <$type>::KIND)),*];

            fn read(reader: &mut impl KeyReader, header: Place) -> Self {
                Self { header, $($key: <$type>::read(reader, stringify!($key)),)* }
            }
        }
    };
}

section! {
    #[doc = "Name and addresses of the portal."]
    #[schemars(extend("x-zh" = "门户的名称和网址。"))]
    PortalSection, "[portal]" {
        #[schemars(length(min = 1))]
        product: Value =
            "The product name: the value of `{product}`, and the title of pages without one."
            "产品名，即 `{product}` 的值；没有写标题的页面也用它作标题。"
        #[schemars(regex(pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://"), example = "https://chat.example.com")]
        host: Value =
            "The address where people sign in: the value of `{host}`. Begins with `https://`."
            "登录和注册所在的站点，即 `{host}` 的值，以 `https://` 开头。"
        #[schemars(regex(pattern = r"^[Hh][Tt][Tt][Pp][Ss]?://"), example = "https://www.example.com")]
        origin: Value =
            "The public address of the portal itself, used for canonical links, which search engines follow."
            "门户自己的公开网址，用于搜索引擎识别的规范链接。"
        #[schemars(example = "/app")]
        base: Value =
            "The folder of `origin` that the portal is served from. Default: `/`."
            "门户在 `origin` 下的目录。默认 `/`。"
        #[schemars(extend("enum" = ["always", "never"]))]
        slash: Value =
            "Whether page addresses end with a slash. Default: `always`, which works on any static server."
            "页面的网址是否以 `/` 结尾。默认 `always`，任何静态服务器都支持。"
        #[schemars(regex(pattern = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"), example = "zh-CN")]
        lang: Value =
            "The language of the pages, as a tag: `en`, `zh-CN`. Default: `en`."
            "页面的语言标签：`en`、`zh-CN`。默认 `en`。"
        #[schemars(example = ["pay.example.com", "*.example.org"])]
        allow_hosts: Vec<Value> =
            "Hosts that redirects may lead to in addition to `{host}`; `*.` stands for all subdomains."
            "除 `{host}` 之外允许跳转到的站点；`*.` 表示所有子域名。"
    }
}

section! {
    #[doc = "The not-found page, shown at unknown addresses."]
    #[schemars(extend("x-zh" = "“页面不存在”页，访问不存在的网址时显示。"))]
    NotFoundSection, "[not_found]" {
        #[schemars(length(min = 1))]
        title: Value =
            "Its title. Default: `404`."
            "它的标题。默认 `404`。"
        #[schemars(length(min = 1), example = "pages/404.tsx")]
        component: Value =
            "Its file in `site/`. Default: `pages/404.tsx`, if it exists."
            "它的文件，位于 `site/` 下。默认是 `pages/404.tsx`（如果有）。"
    }
}

section! {
    #[doc = "How the portal appears in search engines, social networks and home screens."]
    #[schemars(extend("x-zh" = "门户在搜索引擎、社交平台和手机主屏幕上的样子。"))]
    SiteSection, "[site]" {
        #[schemars(length(min = 1), example = "icon.svg")]
        icon: Value =
            "The image in `site/` that all icons are generated from: an SVG, or a square PNG of at least 512 pixels."
            "用来生成所有图标的图片，位于 `site/` 下：SVG，或者至少 512 像素的正方形 PNG。"
        #[schemars(length(min = 1), example = "share.png")]
        image: Value =
            "The image shown when a page is shared: a file in `site/public`, or a URL."
            "页面被分享时显示的图片：`site/public` 里的文件，或者网址。"
        #[schemars(regex(pattern = r"^@[A-Za-z0-9_]{1,15}$"), example = "@acme")]
        twitter: Value =
            "The portal's account on X, with its `@`."
            "门户在 X 上的帐号，以 `@` 开头。"
        #[schemars(regex(pattern = r"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"), example = "#0a6c74")]
        theme_color: Value =
            "The colour of the browser's interface around the pages."
            "浏览器界面（例如地址栏）的颜色。"
        #[schemars(regex(pattern = r"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"), example = "#ffffff")]
        background_color: Value =
            "The background colour while the portal starts from a home screen."
            "从手机主屏幕打开门户时，加载期间的背景色。"
        #[schemars(extend("enum" = ["remove"]))]
        service_worker: Value =
            "`remove` unregisters the service worker that an earlier site at this address left in browsers."
            "`remove`：移除同一网址上的旧网站留在浏览器里的 service worker。"
    }
}

section! {
    #[doc = "Where to report a vulnerability: `/.well-known/security.txt`."]
    #[schemars(extend("x-zh" = "安全漏洞的报告方式：`/.well-known/security.txt`。"))]
    SecuritySection, "[security]" {
        #[schemars(required, length(min = 1), example = ["mailto:security@example.com"])]
        contact: Vec<Value> =
            "Contacts: URLs that begin with `mailto:`, `https:` or `tel:`."
            "联系方式：以 `mailto:`、`https:` 或 `tel:` 开头的网址。"
        #[schemars(required, regex(pattern = r"^\d{4}-\d{2}-\d{2}$"), example = "2030-12-31")]
        expires: Value =
            "The date until which this information is valid."
            "这些信息有效到哪一天。"
        #[schemars(regex(pattern = r"^https://"), example = "https://www.example.com/security-policy")]
        policy: Value =
            "The address of the rules for reports."
            "漏洞报告须知的网址。"
    }
}

section! {
    #[doc = "How the portal is built."]
    #[schemars(extend("x-zh" = "门户的构建方式。"))]
    BuildSection, "[build]" {
        #[schemars(range(max = 100))]
        keep: u32 =
            "The number of earlier builds whose scripts and styles are kept, for pages that are still open. Default: 0."
            "保留最近多少次构建的脚本和样式，供访问者已经打开的页面使用。默认 0。"
        integrity: bool =
            "Whether browsers check scripts and styles against their hashes. Default: `false`."
            "是否让浏览器用哈希校验脚本和样式。默认 `false`。"
        #[schemars(example = ["../shared"])]
        allow: Vec<Value> =
            "Folders and files outside the project that the site may read, relative to `routes.toml`."
            "允许网站读取的项目之外的文件夹和文件，位置从 `routes.toml` 所在的文件夹算起。"
    }
}

section! {
    #[doc = "How much each page may load, compressed with gzip."]
    #[schemars(extend("x-zh" = "每个页面的加载量上限，按 gzip 压缩后计算。"))]
    BudgetSection, "[budget]" {
        #[schemars(length(min = 1), example = "85 kB")]
        js: Value =
            "Scripts: `85 kB`."
            "脚本：`85 kB`。"
        #[schemars(length(min = 1), example = "20 kB")]
        css: Value =
            "Style sheets: `20 kB`."
            "样式表：`20 kB`。"
    }
}

section! {
    #[doc = "Where the portal is deployed."]
    #[schemars(extend("x-zh" = "门户部署在哪里。"))]
    DeploySection, "[deploy]" {
        #[schemars(extend("items" = { "enum": HostingPlatform::NAMES.map(|(name, _)| name) }))]
        platform: Vec<Value> =
            "The hosting platforms; their redirects, headers and settings are generated."
            "托管平台；会为它们生成跳转、响应头和配置。"
        #[schemars(length(min = 1), example = "max-age=31536000; includeSubDomains")]
        strict_transport_security: Value =
            "The header `Strict-Transport-Security`. Not sent by default, because it cannot be revoked."
            "响应头 `Strict-Transport-Security` 的值。默认不发送，因为它一旦发出就无法撤回。"
        #[schemars(example = ["connect-src https://api.example.com"])]
        csp: Vec<Value> =
            "What the content security policy allows in addition to what the build finds in the pages."
            "内容安全策略额外允许的来源；页面里用到的来源会自动加上。"
    }
}

section! {
    #[doc = "Settings of `portalgen dev`. They are not published."]
    #[schemars(extend("x-zh" = "`portalgen dev` 的设置；不会发布。"))]
    DevSection, "[dev]" {
        #[schemars(range(min = 1))]
        port: u16 =
            "The port, as with `--port`. Default: the first free port from 5173 on."
            "监听的端口，与 `--port` 相同。默认使用从 5173 起的第一个空闲端口。"
        #[schemars(example = ["dev.example.com"])]
        hosts: Vec<Value> =
            "Host names to accept in addition to this machine's, as with `--allow-host`."
            "除本机之外还接受的主机名，与 `--allow-host` 相同。"
        #[schemars(example = "wss://dev.example.com")]
        socket: Value =
            "The address of the update WebSocket if it differs from the page's, as with some tunnels: `wss://dev.example.com`."
            "更新用的 WebSocket 地址；只有它与页面的地址不同时才需要写，例如使用某些隧道时：`wss://dev.example.com`。"
        proxy: Pairs =
            "Paths that are proxied to another server: `\"/api\" = \"http://localhost:8080\"`."
            "转发给其他服务器的路径：`\"/api\" = \"http://localhost:8080\"`。"
    }
}

section! {
    #[doc = "An address of the portal: a page, a redirect, or a retired address."]
    #[schemars(extend("x-zh" = "门户的一个网址：页面、跳转，或者已停用的网址。"))]
    #[schemars(extend("not" = { "anyOf": [
        { "required": ["component", "redirect"] },
        { "required": ["retired", "redirect"], "properties": { "retired": { "enum": [true] } } },
        { "required": ["retired", "component"], "properties": { "retired": { "enum": [true] } } },
        { "required": ["status"], "not": { "required": ["redirect"] } },
    ] }))]
    RouteSection, "[[route]]" {
        #[schemars(required, regex(pattern = r"^(/|\{)"), example = "/about")]
        path: Value =
            "The address, beginning with `/`. Must be unique."
            "网址，以 `/` 开头，不能重复。"
        #[schemars(length(min = 1))]
        name: Value =
            "The name of the route in code. Optional."
            "代码里使用的名字，可以不写。"
        #[schemars(length(min = 1))]
        title: Value =
            "The title, shown in the browser tab and in search results."
            "页面标题，显示在浏览器标签页和搜索结果里。"
        #[schemars(length(min = 1))]
        description: Value =
            "One or two sentences that search engines show below the title."
            "一两句话的描述，显示在搜索结果的标题下面。"
        noindex: bool =
            "Whether search engines are asked not to list the page. Redirects are never listed. Default: `false`."
            "是否请搜索引擎不要收录；跳转一律不收录。默认 `false`。"
        #[schemars(length(min = 1), example = "pages/about.tsx")]
        component: Value =
            "The page's file in `site/`. Default: derived from the path, `pages/about.tsx` for `/about`."
            "页面文件，位于 `site/` 下。默认由网址得出：`/about` 对应 `pages/about.tsx`。"
        #[schemars(length(min = 1), example = "{host}/login")]
        redirect: Value =
            "The target of a redirect: a path of the portal, or a URL that begins with `https://`."
            "不显示页面，而是跳转到这里：本站的网址，例如 `/about`，或以 `https://` 开头的网址。"
        #[schemars(extend("enum" = STATUSES))]
        status: u32 =
            "The status code of the redirect. Default: 301 within the portal, which browsers cache, and 302 to other hosts."
            "服务器跳转时的状态码。默认：站内 301（浏览器会记住），跳到别的站点 302。"
        retired: bool =
            "Whether the address has been retired: it deliberately has no content any more. Default: `false`."
            "这个网址是否已停用，不再有内容。默认 `false`。"
        #[schemars(regex(pattern = r"^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$"), example = "pt-BR")]
        lang: Value =
            "The language of this page, if it differs from the portal's."
            "这个页面的语言（如果和门户的不同）。"
        #[schemars(example = ["/en/about"])]
        translations: Vec<Value> =
            "The paths of the same page in other languages. It is enough to list them at one of the pages."
            "同一页面其他语言版本的网址。只需写在其中一个页面上。"
        #[schemars(length(min = 1), example = "about/share.png")]
        image: Value =
            "The image shown when this page is shared, if it differs from the portal's."
            "分享这个页面时显示的图片（如果和门户的不同）。"
        #[schemars(length(min = 1), example = "100 kB")]
        budget: Value =
            "The size limit for the scripts of this page, if it differs from `[budget]`."
            "这个页面的脚本大小上限（如果与 `[budget]` 不同）。"
    }
}

impl OfKind for Value {
    const KIND: Kind = Kind::Text;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.text(key)
    }
}

impl OfKind for bool {
    const KIND: Kind = Kind::Flag;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.flag(key)
    }
}

impl OfKind for u32 {
    const KIND: Kind = Kind::Number;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.number(key)
    }
}

impl OfKind for u16 {
    const KIND: Kind = Kind::Number;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.port(key)
    }
}

impl OfKind for Pairs {
    const KIND: Kind = Kind::Table;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.pairs(key)
    }
}

impl OfKind for Vec<Value> {
    const KIND: Kind = Kind::List;

    fn read(reader: &mut impl KeyReader, key: &str) -> Option<Self> {
        reader.texts(key)
    }
}

/// The statuses with which servers redirect.
pub(crate) const STATUSES: [u32; 4] = [301, 302, 307, 308];

/// The names of all sections.
pub(crate) const SECTIONS: &[&str] =
    &["portal", "not_found", "site", "security", "build", "budget", "deploy", "dev", "check", "route"];

/// The shortest header that stands for a section where a broken one is repaired: it must not take more room than what was
/// written.
pub(crate) fn brief_header(section: &str) -> Option<String> {
    let at = SECTIONS.iter().position(|known| *known == section)?;
    Some(if section == "route" { format!("[[{at}]]") } else { format!("[{at}]") })
}

/// The section that the name in such a header stands for.
pub(crate) fn section_of_brief(name: &str) -> Option<&'static str> {
    SECTIONS.get(name.parse::<usize>().ok()?).copied()
}

/// The header of a section, its keys, and the kind of value that each has.
type SectionKeys = (&'static str, &'static [&'static str], &'static [(&'static str, Kind)]);

const fn keys_of<T: Section>() -> SectionKeys {
    (T::HEADER, T::KEYS, T::KINDS)
}

/// Every section with fixed keys.
const WITH_KEYS: [SectionKeys; 9] = [
    keys_of::<PortalSection>(),
    keys_of::<RouteSection>(),
    keys_of::<NotFoundSection>(),
    keys_of::<SiteSection>(),
    keys_of::<SecuritySection>(),
    keys_of::<BuildSection>(),
    keys_of::<BudgetSection>(),
    keys_of::<DeploySection>(),
    keys_of::<DevSection>(),
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

/// The header of the first section whose keys are as wanted.
pub(crate) fn header_with(are_wanted: impl Fn(&[&'static str]) -> bool) -> Option<&'static str> {
    WITH_KEYS.into_iter().find(|(_, keys, _)| are_wanted(keys)).map(|(header, ..)| header)
}

/// The header of a section.
pub(crate) fn header(section: &str) -> String {
    if section == "route" { "[[route]]".to_owned() } else { format!("[{section}]") }
}

/// What to say of the name of a section that there is not.
pub(crate) fn no_section_called(name: &str) -> Text {
    text!("there is no section `{name}`", "没有 `{name}` 这个小节")
}

pub(crate) fn known_sections() -> Text {
    text!(
        "the sections are `[portal]`, `[[route]]`, `[not_found]`, `[site]`, `[security]`, `[build]`, `[budget]`, \
         `[deploy]`, `[dev]` and `[check]`",
        "小节有 `[portal]`、`[[route]]`、`[not_found]`、`[site]`、`[security]`、`[build]`、`[budget]`、`[deploy]`、\
         `[dev]` 和 `[check]`"
    )
}
