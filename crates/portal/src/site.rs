//! `[site]` and `[security]`: what others than visitors are told about the portal.

use std::{fmt, path::PathBuf};

use url::Url;

use portalgen_base::{
    date::Date,
    diagnostic::{Diagnostic, Place},
    text::{text, write},
};

use super::{
    findings::Findings,
    keys::{SecuritySection, SiteSection},
    origin,
    path::check_spaces,
    site_files::SiteFiles,
    urls::Urls,
    value::{Problem, Value, understood},
};

/// What search engines, social networks and home screens are told about the portal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SiteInfo {
    /// The image that all icons are made of.
    pub icon: Option<IconSource>,
    /// The image that is shown where a page is shared.
    pub image: Option<ShareImage>,
    /// The account on X, with its `@`.
    pub twitter: Option<String>,
    /// The colour of the browser's frame around the pages.
    pub theme_color: Option<Color>,
    /// The colour that shows while the portal starts, and behind icons that have to be opaque.
    pub background_color: Option<Color>,
    /// Whether the service worker of an earlier site is taken away from visitors who have it.
    pub removes_service_worker: bool,
}

/// A file that icons are made of. What is in it is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IconSource {
    /// The absolute path of an `.svg` or a `.png` file.
    pub file: PathBuf,
    /// Where it is named.
    pub place: Place,
}

/// An image that is shown where a page is shared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ShareImage {
    /// A file of `site/public`, by its output path.
    Public(String),
    /// A full URL.
    Url(String),
}

/// A colour without transparency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Color {
    /// Red, green and blue.
    pub channels: [u8; 3],
}

/// What `security.txt` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecurityContact {
    /// URLs to write to, the preferred one first.
    pub contact: Vec<String>,
    /// The last day on which this holds.
    pub expires: Date,
    /// Where that day is written.
    pub expires_place: Place,
    /// The URL of the rules for reports.
    pub policy: Option<String>,
}

impl SiteInfo {
    pub(super) fn read(section: &SiteSection, files: &mut SiteFiles, findings: &mut Findings) -> Self {
        let icon = section.icon.as_ref();
        let file = icon.and_then(|icon| findings.value(files.icon(icon)));
        let image = section.image.as_ref();
        Self {
            icon: icon.and_then(Value::place).cloned().zip(file).map(|(place, file)| IconSource { file, place }),
            image: image.and_then(|image| ShareImage::read(image, files, findings)),
            twitter: understood(section.twitter.as_ref(), check_account, findings),
            theme_color: understood(section.theme_color.as_ref(), Color::parse, findings),
            background_color: understood(section.background_color.as_ref(), Color::parse, findings),
            removes_service_worker: understood(section.service_worker.as_ref(), check_service_worker, findings)
                .is_some(),
        }
    }
}

fn check_service_worker(written: &str) -> Result<(), Problem> {
    if written == "remove" {
        return Ok(());
    }
    Err(Problem::new(text!(
        "portalgen does not create a service worker; it can only remove that of an earlier site",
        "portalgen 不生成 service worker，只能移除旧网站留下的"
    ))
    .hint(write("service_worker = \"remove\"")))
}

impl ShareImage {
    pub(super) fn read(value: &Value, files: &mut SiteFiles, findings: &mut Findings) -> Option<Self> {
        if value.text.contains("://") {
            return understood(Some(value), |url| web_address(url).map(Self::Url), findings);
        }
        findings.value(files.share_image(value)).map(Self::Public)
    }

    /// The full URL of the image, which of a file is known where the origin is.
    pub fn absolute(&self, urls: &Urls) -> Option<String> {
        match self {
            Self::Public(file) => urls.absolute(&urls.file(file)),
            Self::Url(url) => Some(url.clone()),
        }
    }
}

impl Color {
    /// The colour of paper.
    pub const WHITE: Self = Self { channels: [255; 3] };

    /// Reads `#0a6c74`, or `#fff` for `#ffffff`. Home screens and browsers read others as well, though not all of them
    /// the same ones.
    ///
    /// # Errors
    /// Anything else.
    pub(super) fn parse(written: &str) -> Result<Self, Problem> {
        Self::of_digits(written.strip_prefix('#').unwrap_or_default()).ok_or_else(|| {
            let problem = Problem::new(text!("this is not a colour", "这里要写颜色"));
            match Self::of_digits(written) {
                Some(color) => problem.hint(write(format!("\"{color}\""))),
                None => problem.hint(text!(
                    "write `#` and six hexadecimal digits (0–9, a–f): `\"#0a6c74\"`",
                    "颜色写成 `#` 加六位十六进制数字（0–9、a–f）：`\"#0a6c74\"`"
                )),
            }
        })
    }

    fn of_digits(digits: &str) -> Option<Self> {
        let digits: Vec<u8> = digits
            .chars()
            .map(|digit| digit.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
            .collect::<Option<_>>()?;
        match *digits {
            [r, g, b] => Some(Self { channels: [r, g, b].map(|digit| digit * 17) }),
            [r, r2, g, g2, b, b2] => Some(Self { channels: [r * 16 + r2, g * 16 + g2, b * 16 + b2] }),
            _ => None,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.channels;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

/// The name of an account with its `@`.
fn check_account(written: &str) -> Result<String, Problem> {
    let is_name =
        |name: &str| (1..=15).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    if written.strip_prefix('@').is_some_and(is_name) {
        return Ok(written.to_owned());
    }
    let problem = Problem::new(text!("this is not an account name on X", "这不是 X 的帐号名"));
    // The address of the account's page ends with its name.
    let name = written.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let name = name.strip_prefix('@').unwrap_or(name);
    Err(if is_name(name) {
        problem.hint(write(format!("\"@{name}\"")))
    } else {
        problem.hint(text!(
            "write `@` and at most 15 letters, digits or `_`: `\"@acme\"`",
            "帐号写成 `@` 加不超过 15 个字母、数字或 `_`：`\"@acme\"`"
        ))
    })
}

impl SecurityContact {
    pub(super) fn read(section: &SecuritySection, urls: &Urls, findings: &mut Findings) -> Option<Self> {
        let written = section.contact.as_deref().unwrap_or_default();
        let contact: Vec<_> = written.iter().filter_map(|value| understood(Some(value), contact, findings)).collect();
        let policy = understood(section.policy.as_ref(), web_address, findings);
        let missing = match &section.expires {
            _ if written.is_empty() => Some("contact"),
            None => Some("expires"),
            Some(_) => None,
        };
        if let Some(missing) = missing {
            let error = Diagnostic::error(text!("`[security]` needs `{missing}`", "`[security]` 里缺少 `{missing}`"));
            findings.add(error.at(section.header.clone()));
        }
        let base = urls.base.url();
        if base != "/" {
            findings.add(out_of_place(&base).at(section.header.clone()));
        }
        let expires = section.expires.as_ref()?;
        let day = understood(Some(expires), last_day, findings)?;
        Some(Self { contact, expires: day, expires_place: expires.place()?.clone(), policy })
    }
}

/// RFC 9116 has the file at one address of a host only.
fn out_of_place(base: &str) -> Diagnostic {
    Diagnostic::warning(text!(
        "`security.txt` is not generated: it must be at the root of a host, but this portal is served from `{base}`",
        "没有生成 `security.txt`：它只能放在站点的根目录，而这个门户在 `{base}` 下"
    ))
    .with_hint(text!(
        "place it on the host by other means, and remove `[security]`",
        "请用别的方式把它放到站点上，并删掉 `[security]`"
    ))
}

/// The URL of a way to reach somebody.
fn contact(written: &str) -> Result<String, Problem> {
    let examples = || {
        text!(
            "for example `mailto:security@example.com` or `https://example.com/report`",
            "例如 `mailto:security@example.com` 或 `https://example.com/report`"
        )
    };
    let problem = || Problem::new(text!("this is not a contact address", "这不是联系方式"));
    let scheme = written.split_once(':').map(|(scheme, _)| scheme.to_ascii_lowercase());
    match scheme.as_deref() {
        Some("https" | "http") => web_address(written),
        Some("mailto") => match Url::parse(written) {
            Ok(url) if is_mail_address(url.path()) => Ok(url.into()),
            _ => Err(problem().hint(examples())),
        },
        Some("tel") => match Url::parse(written) {
            Ok(url) if url.path().contains(|c: char| c.is_ascii_digit()) => Ok(url.into()),
            _ => Err(problem().hint(text!("for example `tel:+1-201-555-0123`", "例如 `tel:+86-10-5555-0123`"))),
        },
        _ if is_mail_address(written) => Err(problem().hint(write(format!("\"mailto:{written}\"")))),
        _ => Err(problem().hint(examples())),
    }
}

fn is_mail_address(text: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && !word.contains(|c: char| c.is_whitespace() || c == '@');
    text.split_once('@').is_some_and(|(name, host)| is_word(name) && is_word(host) && host.contains('.'))
}

/// A full URL that is fetched over an encrypted connection.
fn web_address(written: &str) -> Result<String, Problem> {
    check_spaces(written)?;
    let encrypted = || Problem::new(text!("this URL must begin with `https://`", "这个网址要以 `https://` 开头"));
    let Some((_, rest)) = written.split_once("://") else {
        return Err(encrypted().hint(write(format!("\"https://{written}\""))));
    };
    let url = origin::parse_url(written).map_err(|reason| {
        Problem::new(text!("this is not a URL: {reason}", "这不是有效的网址：{reason}", reason))
            .hint(text!("for example `https://www.example.com/a`", "例如 `https://www.example.com/a`"))
    })?;
    if origin::is_safe(&url) {
        return Ok(url.into());
    }
    Err(encrypted().hint(write(format!("\"https://{rest}\""))))
}

fn last_day(written: &str) -> Result<Date, Problem> {
    Date::parse(written).ok_or_else(|| {
        let problem = Problem::new(text!("this is not a date", "这里要写日期"));
        let day = written.get(..10).and_then(|day| Date::parse(&day.replace('/', "-")));
        match day {
            Some(day) => problem.hint(write(format!("\"{day}\""))),
            None => {
                problem.hint(text!("dates are written like this: `\"2030-12-31\"`", "日期写成这样：`\"2030-12-31\"`"))
            }
        }
    })
}
