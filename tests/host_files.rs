//! The files for hosts: what is in them, what there is no room for, and what is said about it.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use serde_json::{Value, json};
use tempfile::TempDir;

use portalgen_base::{diagnostic::Diagnostic, media, text::Language};
use portalgen_portal::HostingPlatform;
use portalgen_release::{
    headers,
    hosting::{self, HostFiles},
    manifest::Manifest,
};

use crate::{
    platforms::portal::{LAYOUTS, Layout, PAGES, Portal, REDIRECTS, manifest, request},
    support::project::Project,
};

const PLAIN: Layout = LAYOUTS[0];

/// A portal with so many redirects, and nothing odd about it.
fn with_redirects(count: usize, platforms: &[&str]) -> Manifest {
    let addresses: Vec<String> = (0..count).map(|number| format!("/old/{number:05}")).collect();
    let redirects: Vec<(&str, &str, u16)> = addresses.iter().map(|address| (address.as_str(), "/about", 301)).collect();
    manifest(PLAIN, platforms, &["/", "/about"], &redirects)
}

/// The same manifest after a change of its JSON.
fn changed(manifest: &Manifest, change: impl FnOnce(&mut Value)) -> Manifest {
    let mut value: Value = serde_json::from_str(&manifest.to_json()).unwrap();
    change(&mut value);
    Manifest::parse(value.to_string().as_bytes()).expect("a manifest")
}

/// The lines that say something.
fn lines<'f>(files: &'f HostFiles, name: &str) -> Vec<&'f str> {
    files.published[name].lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

fn said(warnings: &[Diagnostic], language: Language) -> String {
    let told = warnings.iter().map(|warning| {
        let hints = warning.hints.iter().map(|hint| format!("\n  {}", hint.in_language(language)));
        format!("{}{}", warning.message.in_language(language), hints.collect::<String>())
    });
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn cloudflare_takes_two_thousand_redirects() {
    for (count, rules, warning) in [
        (900, 1800, ""),
        (1500, 2000, ""),
        (2000, 2000, ""),
        (
            2500,
            2000,
            "Cloudflare handles 2000 of 2500 redirects; 500 are left to the small pages at their addresses\n  \
             `/old/02000`, `/old/02001`, `/old/02002` and 497 more: Cloudflare accepts 2000; \
             set `retired = true` for addresses that are no longer visited",
        ),
    ] {
        let manifest = with_redirects(count, &["cloudflare"]);
        let files = hosting::files(&manifest);
        let sources: BTreeSet<&str> =
            lines(&files, "_redirects").iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(sources.len(), rules, "{count} redirects");
        // Each has the form under which its small page lies before any has a second.
        let own = sources.iter().filter(|source| source.ends_with('/')).count();
        assert_eq!(own, count.min(2000));
        assert_eq!(said(&files.warnings, Language::English), warning);
    }
    let files = hosting::files(&with_redirects(2500, &["cloudflare"]));
    assert_eq!(
        said(&files.warnings, Language::Chinese),
        "2500 个跳转中，Cloudflare 直接处理 2000 个，其余 500 个由各自网址上的跳转页完成\n  \
         `/old/02000`、`/old/02001`、`/old/02002` 等另外 497 个：Cloudflare 最多接受 2000 个；\
         不再有人访问的网址可以写上 `retired = true`"
    );
}

#[test]
fn what_has_no_room_is_still_found() {
    let portal = Portal::of(with_redirects(2500, &["cloudflare"]), PLAIN);
    let site = portal.site();
    let answer = |address: &str| {
        let response = hosting::respond(Some(HostingPlatform::Cloudflare), &site, &request("GET", address));
        (response.status, response.headers.get("location").map(ToOwned::to_owned))
    };
    assert_eq!(answer("/old/01999/?a=b"), (301, Some("/about/?a=b".to_owned())));
    assert_eq!(answer("/old/01999"), (307, Some("/old/01999/".to_owned())));
    assert_eq!(answer("/old/02000/?a=b"), (200, None), "the small page");
}

#[test]
fn netlify_and_cloudflare_read_one_file() {
    let files = hosting::files(&manifest(
        PLAIN,
        &["cloudflare", "netlify"],
        &["/"],
        &[("/old", "/", 301), ("/co:lon", "/", 308), ("/own", "/?a=b", 302), ("/temporary", "/", 307)],
    ));
    assert_eq!(
        lines(&files, "_redirects"),
        [
            "/old/ / 301!",
            "/old/ / 301",
            "/temporary/ / 302!",
            "/temporary/ / 307",
            "/old / 301",
            "/temporary / 307",
            // What Cloudflare would take for a pattern stands behind all that it shall read.
            "/co:lon/ / 301!",
            "/.portalgen/* /404.html 404!",
        ]
    );
    assert_eq!(
        said(&files.warnings, Language::English),
        "Cloudflare handles 2 of 4 redirects; 2 are left to the small pages at their addresses\n  \
         `/own`: the target has a query, and Cloudflare would drop the visitor's\n  \
         `/co:lon`: Cloudflare would read a character in the address or target as a wildcard\n\
         Netlify handles 3 of 4 redirects; 1 is left to the small page at its address\n  \
         `/own`: the target has a query, and Netlify would drop the visitor's"
    );
    // A line for Netlify counts as one of Cloudflare's two thousand.
    let files = hosting::files(&with_redirects(1100, &["cloudflare", "netlify"]));
    assert!(said(&files.warnings, Language::English).starts_with("Cloudflare handles 1000 of 1100 redirects"));
    let cloudflare = lines(&files, "_redirects").into_iter().take_while(|line| !line.starts_with("/old/01000"));
    assert_eq!(cloudflare.count(), 2000, "behind these are those for Netlify alone");
}

#[test]
fn below_a_base_the_files_go_where_hosts_look_for_them() {
    let platforms = HostingPlatform::NAMES.map(|(name, _)| name);
    for base in [LAYOUTS[2], LAYOUTS[3]] {
        let files = hosting::files(&manifest(base, &platforms, PAGES, REDIRECTS));
        let published: Vec<&str> = files.published.keys().map(String::as_str).collect();
        assert_eq!(published, [".nojekyll"], "the others would be in a folder where nobody looks");
        for name in [
            "cloudflare.headers",
            "cloudflare.redirects",
            "cloudflare.wrangler.jsonc",
            "netlify.headers",
            "netlify.redirects",
            "vercel.json",
        ] {
            assert!(files.deployment.contains_key(name), "{name}");
        }
        // Two files are not one: each host reads what is for it alone.
        assert!(!files.deployment["cloudflare.redirects"].contains('!'));
        for name in ["cloudflare.redirects", "netlify.redirects", "cloudflare.headers", "netlify.headers"] {
            let rules = files.deployment[name].lines().filter(|line| line.starts_with('/'));
            rules.for_each(|rule| assert!(rule.starts_with("/app"), "{name}: {rule}"));
        }
    }
}

#[test]
fn every_asset_has_one_rule_about_caching() {
    for platforms in [&["cloudflare"][..], &["netlify"], &["cloudflare", "netlify"]] {
        let portal = Portal::new(PLAIN, platforms);
        let text = &portal.files.published["_headers"];
        for asset in portal.manifest.files.keys().filter(|file| file.starts_with("assets/") && file.is_ascii()) {
            let spellings = [format!("/{asset}\n"), format!("/{}\n", asset.replace('@', "%40"))];
            assert!(spellings.iter().any(|spelling| text.contains(spelling)), "{platforms:?} {asset}\n{text}");
        }
        let paths: Vec<&str> = text.lines().filter(|line| line.starts_with('/')).collect();
        assert_eq!(paths.iter().collect::<BTreeSet<_>>().len(), paths.len(), "{platforms:?}: no rule comes twice");
        let everywhere = text.split("\n/").find(|rule| rule.contains("nosniff")).expect("a rule for all");
        assert!(!everywhere.to_ascii_lowercase().contains("cache-control"), "it would be joined with those of assets");
        assert_eq!(
            paths.iter().filter(|path| path.contains('*')).count(),
            1,
            "a pattern would be for what is missing, too"
        );
    }
}

#[test]
fn cloudflare_takes_a_hundred_rules_about_headers() {
    let many = changed(&with_redirects(1, &["cloudflare"]), |manifest| {
        for number in 0..150 {
            manifest["files"][format!("assets/c-{number:03}.js")] = json!({ "kind": "asset", "size": 1, "hash": "" });
        }
        let home = manifest["routes"].as_array_mut().unwrap().iter_mut().find(|route| route["path"] == "/").unwrap();
        home["scripts"] = json!(["assets/c-149.js"]);
    });
    let files = hosting::files(&many);
    let rules: Vec<&str> = lines(&files, "_headers").into_iter().filter(|line| line.starts_with('/')).collect();
    assert_eq!(rules.len(), 100);
    assert_eq!(rules[1], "/assets/c-149.js", "what pages load comes first");
    let told = said(&files.warnings, Language::English);
    assert!(told.starts_with("Cloudflare accepts 100 header rules, so browsers cache 99 of "), "{told}");
    assert_eq!(hosting::files(&changed(&many, |manifest| manifest["platforms"] = json!(["netlify"]))).warnings, []);
}

#[test]
fn cloudflare_takes_lines_of_two_thousand_characters() {
    let long = changed(&with_redirects(1, &["cloudflare"]), |manifest| {
        manifest["headers"]["Content-Security-Policy"] = json!(format!("default-src {}", "h.example ".repeat(200)));
    });
    let files = hosting::files(&long);
    assert!(!files.published["_headers"].contains("Content-Security-Policy"));
    assert!(files.published["_headers"].contains("X-Frame-Options: DENY"));
    assert_eq!(
        said(&files.warnings, Language::English),
        "`Content-Security-Policy` is longer than Cloudflare's limit of 2000 characters, so it is not sent there"
    );
}

#[test]
fn long_rules_are_left_to_small_pages() {
    let target = format!("https://h.example/{}", "a".repeat(1000));
    let files = hosting::files(&manifest(PLAIN, &["cloudflare"], &["/"], &[("/long", &target, 302)]));
    assert_eq!(lines(&files, "_redirects"), [""; 0]);
    assert!(said(&files.warnings, Language::English).ends_with("`/long`: Cloudflare limits a rule to 1000 characters"));
    let target = format!("https://h.example/{}", "a".repeat(4096));
    let files = hosting::files(&manifest(PLAIN, &["vercel"], &["/"], &[("/long", &target, 302)]));
    assert!(said(&files.warnings, Language::English).ends_with("`/long`: Vercel limits a rule to 4096 characters"));
}

#[test]
fn vercel_takes_two_thousand_and_forty_eight_redirects() {
    let files = hosting::files(&with_redirects(2500, &["vercel"]));
    let settings: Value = serde_json::from_str(&files.published["vercel.json"]).unwrap();
    let redirects = settings["redirects"].as_array().unwrap();
    assert_eq!(redirects.len(), 2048);
    assert_eq!(redirects[0], json!({ "source": "/old/00000{/}?", "destination": "/about/", "statusCode": 301 }));
    assert!(said(&files.warnings, Language::English).starts_with("Vercel handles 2047 of 2500 redirects"));

    let many = changed(&with_redirects(0, &["vercel"]), |manifest| {
        for number in 0..1000 {
            manifest["files"][format!("assets/chunk-{number:04}.js")] =
                json!({ "kind": "asset", "size": 1, "hash": "" });
        }
    });
    let settings: Value = serde_json::from_str(&hosting::files(&many).published["vercel.json"]).unwrap();
    let rules = settings["headers"].as_array().unwrap();
    assert!(rules.iter().all(|rule| rule["source"].as_str().unwrap().len() <= 4096));
    let named: usize = rules.iter().map(|rule| rule["source"].as_str().unwrap().matches("chunk-").count()).sum();
    assert_eq!(named, 1000, "each asset is in one pattern");
}

#[test]
fn the_function_of_cloudfront_has_ten_kilobytes() {
    for count in [0, 10, 1000] {
        let files = hosting::files(&with_redirects(count, &["s3-cloudfront"]));
        let function = &files.deployment["s3-cloudfront.function.js"];
        assert!(function.len() <= 10_240, "{count} redirects: {} bytes", function.len());
        let told = said(&files.warnings, Language::English);
        assert_eq!(told.is_empty(), count < 1000, "{told}");
        if count == 1000 {
            let room = function.matches("old/").count();
            assert!(room > 150 && function.len() > 10_200, "{room} redirects in {} bytes", function.len());
            assert!(told.starts_with(&format!("CloudFront handles {room} of 1000 redirects")), "{told}");
        }
    }
}

#[test]
fn cloudfront_is_told_of_headers_and_errors() {
    let files = hosting::files(&changed(&manifest(LAYOUTS[2], &["s3-cloudfront"], &["/"], &[]), |manifest| {
        manifest["headers"]["Strict-Transport-Security"] = json!("max-age=63072000; includeSubDomains");
        manifest["headers"]["Permissions-Policy"] = json!("camera=()");
    }));
    let policy: Value = serde_json::from_str(&files.deployment["s3-cloudfront.headers.json"]).unwrap();
    let security = &policy["SecurityHeadersConfig"];
    assert_eq!(
        security["StrictTransportSecurity"],
        json!({ "AccessControlMaxAgeSec": 63_072_000, "IncludeSubdomains": true, "Preload": false, "Override": true })
    );
    assert_eq!(security["ContentTypeOptions"], json!({ "Override": true }));
    assert_eq!(security["FrameOptions"], json!({ "FrameOption": "DENY", "Override": true }));
    assert_eq!(security["ContentSecurityPolicy"]["Override"], true);
    assert_eq!(
        policy["CustomHeadersConfig"],
        json!({ "Quantity": 1, "Items": [{ "Header": "Permissions-Policy", "Value": "camera=()", "Override": true }] })
    );
    let errors: Value = serde_json::from_str(&files.deployment["s3-cloudfront.errors.json"]).unwrap();
    let codes: Vec<&Value> = errors["Items"].as_array().unwrap().iter().map(|item| &item["ErrorCode"]).collect();
    assert_eq!(codes, [403, 404], "S3 answers 403 to what is missing where it may not be listed");
    for item in errors["Items"].as_array().unwrap() {
        assert_eq!((&item["ResponsePagePath"], &item["ResponseCode"]), (&json!("/app/404.html"), &json!("404")));
    }
}

/// What one call of `aws` uploads, by what its filters say.
struct Upload {
    from: String,
    to: String,
    filters: Vec<(bool, String)>,
    media_type: String,
    caching: String,
}

impl Upload {
    fn parse(arguments: &[&str]) -> Option<Self> {
        let [_, "sync" | "cp", from, to, ref options @ ..] = *arguments else { return None };
        let value = |name: &str| options.windows(2).find(|pair| pair[0] == name).map(|pair| pair[1].to_owned());
        let filters = options.windows(2).filter_map(|pair| match pair[0] {
            "--include" => Some((true, pair[1].to_owned())),
            "--exclude" => Some((false, pair[1].to_owned())),
            _ => None,
        });
        Some(Self {
            from: from.to_owned(),
            to: to.to_owned(),
            filters: filters.collect(),
            media_type: value("--content-type")?,
            caching: value("--cache-control")?,
        })
    }

    /// The key under which a file of `dist` is stored, if this call stores it.
    fn key(&self, file: &str) -> Option<String> {
        let path = match self.from.strip_prefix("dist")? {
            "" => file,
            folder => file.strip_prefix(&folder[1..])?.strip_prefix('/')?,
        };
        let matching = self.filters.iter().rfind(|(_, pattern)| match pattern.split_once('*') {
            None => path == pattern,
            Some((start, end)) => {
                path.len() >= start.len() + end.len() && path.starts_with(start) && path.ends_with(end)
            }
        });
        let is_included = matching.is_none_or(|(is_included, _)| *is_included);
        is_included.then(|| format!("{}/{path}", self.to))
    }
}

#[test]
fn the_commands_upload_each_file_once_as_what_it_is() {
    for layout in LAYOUTS {
        let portal = Portal::new(layout, &["s3-cloudfront"]);
        let folder = TempDir::new().unwrap();
        let (log, aws) = (folder.path().join("log"), folder.path().join("aws"));
        fs::write(&aws, format!("#!/bin/sh\nprintf '%s\\n' \"$@\" >> '{0}'\necho >> '{0}'\n", log.display())).unwrap();
        let script = folder.path().join("upload.sh");
        fs::write(&script, portal.note("s3-cloudfront.upload.sh")).unwrap();
        assert!(Command::new("chmod").arg("+x").arg(&aws).status().unwrap().success());
        let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
        let mut run = Command::new("sh");
        run.arg(&script)
            .env("PATH", path)
            .env("BUCKET", "bucket")
            .env("DISTRIBUTION", "E1")
            .current_dir(portal.project());
        assert!(run.status().unwrap().success());

        let log = fs::read_to_string(log).unwrap();
        let calls: Vec<Vec<&str>> = log.trim_end().split("\n\n").map(|call| call.lines().collect()).collect();
        let uploads: Vec<Upload> = calls.iter().filter_map(|call| Upload::parse(call)).collect();
        let mut stages = Vec::new();
        for (file, described) in &portal.manifest.files {
            let taken: Vec<(usize, String)> =
                uploads.iter().enumerate().filter_map(|(at, upload)| Some((at, upload.key(file)?))).collect();
            let [(at, key)] = &*taken else { panic!("{layout:?} {file}: {taken:?}") };
            assert_eq!(*key, format!("s3://bucket{}{file}", layout.base), "no `//`, and below the base");
            assert_eq!(uploads[*at].media_type, media::media_type(file), "{file}");
            assert_eq!(uploads[*at].caching, headers::caching(file), "{file}");
            stages.push((*at, described.kind));
        }
        stages.sort_by_key(|(at, _)| *at);
        let kinds: Vec<_> = stages.iter().map(|(_, kind)| format!("{kind:?}")).collect();
        let mut order = kinds.clone();
        order.dedup();
        assert_eq!(order, ["Asset", "Data", "Page"], "nothing refers to what is not there yet");
        assert!(uploads.iter().all(|upload| upload.key(".portalgen/deploy/portal.json").is_none()));
        let [.., deletion, invalidation] = &*calls else { panic!("{log}") };
        assert!(deletion.contains(&"--delete") && deletion.ends_with(&["--exclude", ".portalgen/*"]), "{deletion:?}");
        assert_eq!(invalidation[..2], ["cloudfront", "create-invalidation"]);
        assert_eq!(invalidation[4..], ["--paths".to_owned(), format!("{}*", layout.base)]);
    }
}

#[test]
fn nobody_gets_a_rule_in_by_a_target() {
    let hostile =
        ["https://h.example/a\n/* https://evil.example/ 301", "/about/ 200\r\n/x", "https://h.example/\"}],\"x\":[{\""];
    for target in hostile {
        let manifest = changed(
            &manifest(PLAIN, &["cloudflare", "netlify", "vercel", "s3-cloudfront"], &["/"], &[]),
            |manifest| {
                let route = json!({ "path": "/old", "url": "/old/", "file": "old/index.html", "title": "", "redirect": { "to": target, "status": 301 } });
                manifest["routes"].as_array_mut().unwrap().push(route);
            },
        );
        let files = hosting::files(&manifest);
        let rules = lines(&files, "_redirects");
        assert!(rules.iter().all(|rule| rule.starts_with("/old") || rule.starts_with("/.portalgen/")), "{rules:?}");
        assert!(rules.iter().all(|rule| rule.split_whitespace().count() == 3), "{rules:?}");
        let settings: Value = serde_json::from_str(&files.published["vercel.json"]).unwrap();
        assert!(settings["redirects"].as_array().unwrap().len() <= 2, "{settings}");
    }
}

#[test]
fn pages_that_lose_their_ending_are_told() {
    for (platform, host) in [("cloudflare", "Cloudflare"), ("vercel", "Vercel")] {
        let files = hosting::files(&manifest(LAYOUTS[1], &[platform], &["/", "/about", "/legal.html"], &[]));
        assert_eq!(
            said(&files.warnings, Language::English),
            format!(
                "{host} serves `/legal.html` without `.html`, but search engines are told the address with it\n  \
                 remove `.html` from the path"
            )
        );
        assert_eq!(hosting::files(&manifest(PLAIN, &[platform], &["/", "/legal.html"], &[])).warnings, []);
    }
}

#[test]
fn github_pages_is_told_one_thing() {
    let plain = with_redirects(3, &["github-pages"]);
    let files = hosting::files(&plain);
    assert_eq!((files.published.len(), files.deployment.len(), files.warnings.len()), (1, 0, 0));
    assert_eq!(files.published[".nojekyll"], "");
    let strict = changed(&plain, |manifest| manifest["headers"]["Strict-Transport-Security"] = json!("max-age=1"));
    assert_eq!(
        said(&hosting::files(&strict).warnings, Language::English),
        "GitHub Pages does not send custom headers, so `strict_transport_security` has no effect there\n  \
         turn on “Enforce HTTPS” in the repository settings to redirect visitors to `https:`"
    );
}

#[test]
fn a_build_writes_them_and_says_what_does_not_fit() {
    let routes = "[portal]\nhost = \"https://id.acme.example\"\n\n[deploy]\nplatform = [\"cloudflare\", \"github-pages\", \"s3-cloudfront\"]\n\n\
                  [[route]]\npath = \"/\"\ntitle = \"Home\"\n\n\
                  [[route]]\npath = \"/login\"\ntitle = \"Log in\"\nredirect = \"{host}/login\"\nstatus = 301\n\n\
                  [[route]]\npath = \"/join\"\ntitle = \"Join\"\nredirect = \"{host}/join?from=portal\"\n";
    let project =
        Project::new(&[("routes.toml", routes), ("site/pages/index.tsx", "export default () => <h1>Home</h1>;\n")]);
    let outcome = project.run("build", &[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("warning[host-limit]: Cloudflare handles 1 of 2 redirects"), "{}", outcome.stderr);
    let read = |name: &str| fs::read_to_string(project.path(&format!("dist/{name}"))).unwrap();
    assert!(read("_redirects").contains("/login/ https://id.acme.example/login 301\n"), "{}", read("_redirects"));
    let script = fs::read_dir(project.path("dist/assets")).unwrap().map(|entry| entry.unwrap().file_name());
    for name in script {
        assert!(read("_headers").contains(&format!("/assets/{}\n", name.to_str().unwrap())), "{}", read("_headers"));
    }
    assert_eq!(read(".nojekyll"), "");
    assert_eq!(read(".assetsignore"), ".portalgen\n");
    for note in ["cloudflare.wrangler.jsonc", "s3-cloudfront.function.js", "s3-cloudfront.upload.sh"] {
        assert!(Path::new(&project.path(&format!("dist/.portalgen/deploy/{note}"))).exists(), "{note}");
    }
    // Its files are as lasting as others: the same build changes nothing, and without the section they go.
    project.write("routes.toml", &routes.replace("[deploy]", "[check]\nhost-limit = \"off\"\n\n[deploy]"));
    let outcome = project.run("build", &[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
    project
        .write("routes.toml", &routes.replace("platform = [\"cloudflare\", \"github-pages\", \"s3-cloudfront\"]", ""));
    assert_eq!(project.run("build", &[]).code, 0);
    assert!(
        !project.path("dist/_redirects").exists()
            && !project.path("dist/.portalgen/deploy/s3-cloudfront.upload.sh").exists()
    );
}
