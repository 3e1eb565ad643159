//! Requests as browsers, and those who mean harm, send them.

use super::{Access, Claims, Origin, Refusal, Token};

const PORT: u16 = 5173;

fn access() -> Access {
    let origins = ["localhost", "127.0.0.1", "[::1]"].map(|host| Origin::http(host, PORT));
    Access::new(origins.into(), vec!["Portal.Test".to_owned()], Token("secret".to_owned()))
}

fn sent_to(hosts: &[&str]) -> Result<(), Refusal> {
    access().admit(&Claims { hosts, ..Claims::default() })
}

fn sent_from(origins: &[&str]) -> Result<(), Refusal> {
    access().admit(&Claims { hosts: &["localhost:5173"], origins, ..Claims::default() })
}

#[test]
fn hosts_under_which_the_server_was_announced_are_answered_for() {
    for host in ["localhost:5173", "LOCALHOST:5173", "127.0.0.1:5173", "[::1]:5173", "portal.test", "portal.test:8443"]
    {
        assert_eq!(sent_to(&[host]), Ok(()), "{host}");
    }
}

#[test]
fn other_hosts_are_not_answered_for() {
    let foreign = [
        "evil.test",
        "evil.test:5173",
        "localhost.evil.test:5173",
        "127.0.0.1.nip.io:5173",
        "localhost.:5173",
        "localhost",
        "localhost:5174",
        "127.0.0.2:5173",
        "192.168.1.7:5173",
        "[::2]:5173",
        "[::ffff:127.0.0.1]:5173",
        "2130706433:5173",
        "portal.test.evil.test",
        "evil.portal.test",
        "user@localhost:5173",
        "localhost:5173, evil.test",
        "",
    ];
    for host in foreign {
        assert_eq!(sent_to(&[host]), Err(Refusal::Host(host.to_owned())), "{host}");
    }
    assert_eq!(sent_to(&[]), Err(Refusal::Host(String::new())));
    let two = ["localhost:5173", "evil.test"];
    assert_eq!(sent_to(&two), Err(Refusal::Host(two.join(", "))));
    assert!(sent_to(&["localhost:5173", "localhost:5173"]).is_err());
}

#[test]
fn a_usual_port_need_not_be_named() {
    let access = Access::new(vec![Origin::http("localhost", 80)], Vec::new(), Token("secret".to_owned()));
    for host in ["localhost", "localhost:80"] {
        assert_eq!(access.admit(&Claims { hosts: &[host], ..Claims::default() }), Ok(()), "{host}");
    }
    assert!(access.admit(&Claims { hosts: &["localhost:443"], ..Claims::default() }).is_err());
}

#[test]
fn pages_of_the_server_itself_may_ask() {
    let own = [
        "http://localhost:5173",
        "http://127.0.0.1:5173",
        "http://[::1]:5173",
        "https://portal.test",
        "http://portal.test:81",
    ];
    for origin in own {
        assert_eq!(sent_from(&[origin]), Ok(()), "{origin}");
    }
    assert_eq!(sent_from(&[]), Ok(()));
}

#[test]
fn pages_of_other_origins_may_not_ask() {
    let foreign = [
        "http://evil.test",
        "http://203.0.113.5",
        "http://[2001:db8::1]",
        "http://192.168.1.7:5173",
        "http://127.0.0.1:5174",
        "http://127.0.0.1",
        "http://localhost.:5173",
        "https://localhost:5173",
        "HTTP://LOCALHOST:5173",
        "http://LOCALHOST:5173",
        "http://localhost:5173/",
        "http://localhost:05173",
        "http://user@localhost:5173",
        "http://localhost:5173 http://evil.test",
        "http://portal.test.evil.test",
        "file://localhost:5173",
        "chrome-extension://localhost",
        "null",
        "",
    ];
    for origin in foreign {
        assert_eq!(sent_from(&[origin]), Err(Refusal::Origin(origin.to_owned())), "{origin}");
    }
    assert!(sent_from(&["http://localhost:5173", "http://evil.test"]).is_err());
}

#[test]
fn pages_of_other_sites_embed_nothing_and_may_link_here() {
    let fetched = |site, mode| {
        let claims = Claims { hosts: &["localhost:5173"], origins: &[], site: Some(site), mode: Some(mode) };
        access().admit(&claims)
    };
    for site in ["cross-site", "same-site", "unheard-of"] {
        for mode in ["no-cors", "cors", "same-origin"] {
            assert_eq!(fetched(site, mode), Err(Refusal::Embedding), "{site} {mode}");
        }
        assert_eq!(fetched(site, "navigate"), Ok(()));
        assert_eq!(fetched(site, "websocket"), Ok(()));
    }
    for mode in ["no-cors", "cors", "navigate"] {
        assert_eq!(fetched("same-origin", mode), Ok(()));
        assert_eq!(fetched("none", mode), Ok(()));
    }
}

#[test]
fn changes_need_an_origin_and_the_token() {
    let trusted = |origins, token| {
        let claims = Claims { hosts: &["localhost:5173"], origins, ..Claims::default() };
        access().admit(&claims).and_then(|()| access().trust(&claims, token))
    };
    assert_eq!(trusted(&["http://localhost:5173"], Some("secret")), Ok(()));
    for token in [None, Some(""), Some("secre"), Some("secrets"), Some("Secret")] {
        assert_eq!(trusted(&["http://localhost:5173"], token), Err(Refusal::Token), "{token:?}");
    }
    assert_eq!(trusted(&[], Some("secret")), Err(Refusal::Token));
    assert!(trusted(&["http://evil.test"], Some("secret")).is_err());
}

#[test]
fn tokens_are_new_each_time_and_not_shown() {
    let (one, other) = (Token::random().unwrap(), Token::random().unwrap());
    assert_ne!(one.as_str(), other.as_str());
    assert_eq!(one.as_str().len(), 22);
    assert!(!format!("{one:?}").contains(one.as_str()));
}

#[test]
fn what_is_told_repeats_no_more_than_a_name() {
    let hint = |refusal: Refusal| refusal.hint().map(|hint| hint.english().to_owned());
    let name = hint(Refusal::Host("Tunnel.Test:81".to_owned())).unwrap();
    assert!(name.contains("--allow-host tunnel.test`"), "{name}");
    assert!(hint(Refusal::Origin("https://tunnel.test".to_owned())).is_some());
    assert_eq!(hint(Refusal::Host("<script>".to_owned())), None);
    assert_eq!(hint(Refusal::Token), None);
}
