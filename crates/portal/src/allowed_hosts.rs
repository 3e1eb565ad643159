//! Hosts that redirects may lead to, and names of hosts that are not what they seem.
//!
//! A wrong host behind `/login` is the worst that an edited line can do to visitors: they would type their passwords
//! there. So leaving the portal is for hosts that it names, and names must not deceive whoever reads the line.

use unicode_script::{Script, UnicodeScript};
use unicode_security::{MixedScript, RestrictionLevel, RestrictionLevelDetection, skeleton};
use url::Url;

use portalgen_base::{
    diagnostic::Place,
    rules::Rule,
    text::{Text, text},
};

use super::{
    findings::Findings,
    origin::{AllowedHost, Host, Origin},
    redirect_target::RedirectTarget,
    routes::{Draft, full_width},
    value::{Problem, Value},
};

/// The hosts that the portal names.
pub(crate) struct KnownHosts<'a> {
    /// That of `{host}`, and that of the file.
    pub(crate) hosts: [Option<&'a Host>; 2],
    pub(crate) origin: Option<&'a Origin>,
    pub(crate) allowed: &'a [AllowedHost],
    /// Where they are named.
    pub(crate) section: Option<&'a Place>,
}

impl KnownHosts<'_> {
    /// Judges where redirects leave the portal for.
    pub(crate) fn check(&self, drafts: &[Draft], findings: &mut Findings) {
        for (value, url) in drafts.iter().filter_map(external) {
            if let Some(problem) = self.deceives(&url) {
                findings.add(value.error(problem).under(Rule::LookAlikeHost));
            } else if !self.allow(&url) {
                let error = value.error(self.stranger(&url)).under(Rule::RedirectHost);
                findings.add(match self.section {
                    Some(section) => error
                        .with_related(section.clone(), text!("allowed hosts are listed here", "允许的站点在这里填写")),
                    None => error,
                });
            }
        }
    }

    /// Where nobody has named any host there is nothing to judge by.
    fn allow(&self, url: &Url) -> bool {
        let sites = self.sites();
        let is_named = sites.iter().any(|site| site.origin() == url.origin());
        is_named || self.allowed.iter().any(|host| host.allows(url)) || (sites.is_empty() && self.allowed.is_empty())
    }

    /// `{host}`, and the portal itself.
    fn sites(&self) -> Vec<Url> {
        let hosts = self.hosts.into_iter().flatten().map(Host::as_str);
        hosts.chain(self.origin.map(Origin::as_str)).filter_map(|site| Url::parse(site).ok()).collect()
    }

    fn stranger(&self, url: &Url) -> Problem {
        let name = authority(url);
        let shown = shown(url.host_str().unwrap_or_default());
        let mut names: Vec<String> = self.allowed.iter().map(|host| format!("\"{}\"", host.written())).collect();
        names.push(format!("\"{name}\""));
        let names = names.join(", ");
        Problem::new(text!(
            "this leads to {shown}, which is not an allowed host",
            "这里会跳转到 {shown}，它不在允许的站点之列",
            shown
        ))
        .hint(text!(
            "check the name letter by letter: visitors may type passwords there",
            "请逐个字母核对网址：访问者可能会在那里输入密码"
        ))
        .hint(text!(
            "if it is correct, add `allow_hosts = [{names}]` under `[portal]`",
            "如果网址没有写错，请在 `[portal]` 下写 `allow_hosts = [{names}]`"
        ))
    }

    /// Why the name of the host is not what it seems. A name that the portal spells out itself is judged there.
    fn deceives(&self, url: &Url) -> Option<Problem> {
        let name = url.domain()?;
        let sites = self.sites();
        let domains = sites.iter().filter_map(|site| site.domain());
        let known: Vec<&str> = domains.chain(self.allowed.iter().map(AllowedHost::name)).collect();
        if known.contains(&name) {
            return None;
        }
        disguised(name).or_else(|| looks_like_one_of(name, &known))
    }
}

/// The problem with a name that looks like one of those that are known.
fn looks_like_one_of(name: &str, known: &[&str]) -> Option<Problem> {
    let seen = appearance(name);
    known.iter().find(|known| appearance(known) == seen).map(|other| looks_like(name, other))
}

fn looks_like(name: &str, other: &str) -> Problem {
    let shown = shown(name);
    Problem::new(text!(
        "{shown} looks like `{other}`, but is a different host",
        "这个站点看起来像 `{other}`，其实是另一个站点：{shown}",
        shown
    ))
    .hint(text!("retype the name", "请重新输入这个名字"))
    .hint(text!(
        "if it is correct, add it to `allow_hosts` under `[portal]`",
        "如果没有写错，请把它写进 `[portal]` 的 `allow_hosts`"
    ))
}

/// The problem with a name that is written so that it looks like another one: with letters of several alphabets side by
/// side, or with none but letters of another alphabet that look like Latin ones.
pub(crate) fn disguised(name: &str) -> Option<Problem> {
    let whole = unicode(name);
    if let Some(label) = whole.split('.').find(|label| mixes_scripts(label)) {
        let shown = shown(name);
        return Some(
            Problem::new(text!(
                "in {shown}, the part `{label}` mixes look-alike letters of different alphabets",
                "`{label}` 混用了不同文字中相似的字母：{shown}",
                shown
            ))
            .hint(text!("retype the name", "请重新输入这个名字")),
        );
    }
    let latin: Vec<String> =
        whole.split('.').map(|label| in_latin(label).unwrap_or_else(|| label.to_owned())).collect();
    let latin = latin.join(".");
    (latin != whole).then(|| looks_like(name, &latin))
}

/// Chinese, Japanese and Korean beside Latin letters are usual and fine, and so are other scripts that no Latin letter
/// looks like.
fn mixes_scripts(label: &str) -> bool {
    !label.is_single_script() && label.detect_restriction_level() > RestrictionLevel::ModeratelyRestrictive
}

/// The Latin letters that a word looks like, if all of it belongs to an alphabet that is used for such disguises.
fn in_latin(label: &str) -> Option<String> {
    const DISGUISES: [Script; 4] = [Script::Cyrillic, Script::Greek, Script::Armenian, Script::Cherokee];
    let letters = || label.chars().filter(|c| c.is_alphabetic());
    let is_disguise = letters().next().is_some() && letters().all(|c| DISGUISES.contains(&c.script()));
    let seen: String = skeleton(label).collect();
    (is_disguise && seen.is_ascii()).then_some(seen)
}

/// Complains about the name in a value that says where a site is.
pub(crate) fn check_site(value: &Value, findings: &mut Findings) {
    let name = value.text.split_once("://").map_or(value.text.as_str(), |(_, rest)| rest);
    let url = Url::parse(&format!("https://{}", name.trim_start_matches("*."))).ok();
    if let Some(problem) = url.as_ref().and_then(Url::domain).and_then(disguised) {
        findings.add(value.error(problem).under(Rule::LookAlikeHost));
    }
    if url.is_some() {
        findings.extend(full_width(value));
    }
}

fn external(draft: &Draft) -> Option<(&Value, Url)> {
    let RedirectTarget::External(url) = draft.redirect()? else { return None };
    Some((draft.redirect_value()?, Url::parse(url).ok()?))
}

/// What stands for the host in `allow_hosts`.
fn authority(url: &Url) -> String {
    let name = unicode(url.host_str().unwrap_or_default());
    url.port().map_or(name.clone(), |port| format!("{name}:{port}"))
}

/// The name in the letters that people read.
fn unicode(name: &str) -> String {
    idna::domain_to_unicode(name).0
}

/// The name, and how browsers and certificates spell it when that is something else.
fn shown(name: &str) -> Text {
    let name = unicode(name);
    let spelt = idna::domain_to_ascii(&name).unwrap_or_default();
    if spelt == name {
        Text::verbatim(format!("`{name}`"))
    } else {
        text!("`{name}` (`{spelt}`)", "`{name}`（`{spelt}`）")
    }
}

/// What is left of a name when letters that look alike are one.
fn appearance(name: &str) -> String {
    skeleton(&unicode(name)).collect::<String>().to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(url: &str) -> Option<String> {
        let (host, origin) = (Host::parse("https://chat.lanyu.example"), Origin::parse("https://www.lanyu.example"));
        let (host, origin) = (host.expect("a host"), origin.expect("an origin"));
        let allowed = [AllowedHost::parse("*.partner.example").expect("a host")];
        let known = KnownHosts { hosts: [Some(&host), None], origin: Some(&origin), allowed: &allowed, section: None };
        let url = Url::parse(url).expect("a URL");
        let stranger = || (!known.allow(&url)).then(|| known.stranger(&url));
        known.deceives(&url).or_else(stranger).map(|problem| problem.message.english().to_owned())
    }

    #[test]
    fn named_hosts_are_fine() {
        for url in [
            "https://chat.lanyu.example/signUp",
            "https://CHAT.lanyu.example:443",
            "https://www.lanyu.example/x",
            "https://a.partner.example",
            "https://læs.partner.example",
            "https://cœur.partner.example",
            "https://〇.partner.example",
            "https://почта.partner.example",
            "https://αβγ.partner.example",
            "https://ไทยthai.partner.example",
        ] {
            assert_eq!(judge(url), None, "{url}");
        }
    }

    #[test]
    fn strangers_are_told() {
        for url in [
            "https://lanyu.example",
            "https://chat.lanyu.example.evil.example",
            "https://chat.lanyu.example:8443",
            "http://localhost:3000",
            "https://partner.example",
            "https://聊天.example",
            "https://192.168.0.1/",
        ] {
            let message = judge(url).unwrap_or_else(|| panic!("{url} passed"));
            assert!(message.contains("not an allowed host"), "{message}");
        }
        assert!(judge("https://聊天.example").is_some_and(|message| message.contains("`聊天.example` (`xn--")));
    }

    #[test]
    fn look_alikes_are_told() {
        for (url, words) in [
            ("https://chat.lаnyu.example", "mixes look-alike letters"),
            ("https://xn--chat-0nd.lanyu.example", "mixes look-alike letters"),
            ("https://chat.1anyu.example", "looks like `chat.lanyu.example`"),
            ("https://chat.Ianyu.example", "not an allowed host"),
            ("https://www.lanуu.example", "mixes look-alike letters"),
            ("https://аррӏе.example", "looks like `apple.example`"),
            ("https://xn--80ak6aa92e.example", "looks like `apple.example`"),
            ("https://аррӏе.partner.example", "looks like `apple.partner.example`"),
        ] {
            let message = judge(url).unwrap_or_else(|| panic!("{url} passed"));
            assert!(message.contains(words), "{url}: {message}");
        }
    }
}
