//! One truth about addresses: whatever a portal says about where a page is, it says the same.

use std::{collections::BTreeSet, fmt::Write as _};

use crate::support::project::{Project, Tree};

const PAGES: [&str; 9] =
    ["/", "/about", "/v1.0", "/legal.html", "/c%23", "/a b", "/a+b", "/关于/我们", "/apples-&-oranges"];

fn portal(base: &str, slash: &str) -> Project {
    let mut routes = format!(
        "[portal]\norigin = \"https://www.acme.example\"\nbase = \"{base}\"\nslash = \"{slash}\"\n\
         [deploy]\nplatform = [\"netlify\", \"github-pages\", \"s3-cloudfront\", \"nginx\", \"caddy\"]\n"
    );
    for page in PAGES {
        let _ = write!(routes, "[[route]]\npath = \"{page}\"\ncomponent = \"pages/index.tsx\"\n");
    }
    routes.push_str("[[route]]\npath = \"/old\"\nredirect = \"/about#y\"\n");
    let links: String = PAGES.map(|page| format!("<Link to={page:?}>{page}</Link>")).concat();
    let page = format!(
        "import {{ Link }} from \"react-router-dom\"; import \"./home.css\"; import sea from \"../sea.txt\";\n\
         export default () => <main>{links}<a href={{sea}}>sea</a></main>;"
    );
    Project::new(&[
        ("routes.toml", &routes),
        ("site/package.json", "{}"),
        ("site/pages/index.tsx", &page),
        ("site/pages/home.css", "main { background: url(/bay.svg); }"),
        ("site/sea.txt", "the sea"),
        ("site/public/bay.svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ])
}

fn built(base: &str, slash: &str) -> Tree {
    let project = portal(base, slash);
    let outcome = project.build(&["--deny", "warnings"]);
    let told: Vec<&str> = outcome.stderr.lines().filter(|line| line.contains(": ") && !line.starts_with(' ')).collect();
    // A name that looks like that of a file is told where it cannot be one.
    let expected = usize::from(slash == "always");
    assert!(outcome.code == 0 && told.len() == expected, "{base:?}, {slash}: {}", outcome.stderr);
    assert!(told.iter().all(|line| line.starts_with("note: the address of `/legal.html` will be `")), "{told:?}");
    project.published()
}

fn text<'t>(files: &'t Tree, path: &str) -> &'t str {
    std::str::from_utf8(files.get(path).unwrap_or_else(|| panic!("no {path} in {:?}", files.keys()))).unwrap()
}

/// What stands between two texts, wherever that is.
fn all<'t>(text: &'t str, before: &str, after: &str) -> Vec<&'t str> {
    text.split(before).skip(1).filter_map(|rest| rest.split(after).next()).collect()
}

fn unescaped(text: &str) -> String {
    text.replace("&#x27;", "'").replace("&amp;", "&")
}

#[test]
fn a_base_is_one_thing_however_it_is_spelt() {
    let same = |spellings: &[&str]| {
        let builds: Vec<Tree> = spellings.iter().map(|base| built(base, "always")).collect();
        assert!(builds.iter().all(|build| *build == builds[0]), "{spellings:?}");
        builds.into_iter().next().unwrap()
    };
    for files in [same(&["app", "/app", "/app/", "app/"]), same(&["", "/"])] {
        for (path, bytes) in &files {
            // Scripts have comments, and servers patterns by which they refuse such addresses.
            let is_looked_at = !path.starts_with(".portalgen/") && !path.ends_with(".js") && !path.contains("LICENSE");
            let Ok(content) = std::str::from_utf8(bytes) else { continue };
            let content = content.replace("://", "");
            assert!(!is_looked_at || !content.contains("//"), "{path}: {content}");
            assert!(!content.contains("/app//") && !content.contains("//app/"), "{path}");
        }
    }
}

#[test]
fn canonical_links_sitemap_and_links_agree() {
    for (base, folder) in [("/", ""), ("/app/", "/app")] {
        for slash in ["always", "never"] {
            let files = built(base, slash);
            let documents: Vec<&str> = files
                .keys()
                .map(String::as_str)
                .filter(|path| path.ends_with(".html") && *path != "404.html")
                .collect();
            let of_pages: Vec<&str> =
                documents.into_iter().filter(|path| !text(&files, path).contains("http-equiv=\"refresh\"")).collect();
            let canonical: BTreeSet<String> = of_pages
                .iter()
                .flat_map(|path| all(text(&files, path), "<link rel=\"canonical\" href=\"", "\""))
                .map(unescaped)
                .collect();
            assert_eq!(canonical.len(), PAGES.len(), "{canonical:?}");
            let sitemap: BTreeSet<String> =
                all(text(&files, "sitemap.xml"), "<loc>", "</loc>").into_iter().map(unescaped).collect();
            assert_eq!(sitemap, canonical, "{base} {slash}");
            let links: BTreeSet<String> = all(text(&files, "index.html"), " href=\"", "\"")
                .into_iter()
                .filter(|href| href.starts_with('/') && !href.contains("/assets/"))
                .map(|href| format!("https://www.acme.example{}", unescaped(href)))
                .collect();
            assert_eq!(links, canonical, "{base} {slash}");
            for url in &canonical {
                let path = url.strip_prefix("https://www.acme.example").unwrap().strip_prefix(folder).unwrap();
                assert_eq!(path.ends_with('/'), slash == "always" || path == "/", "{url}");
            }
            let stub = if slash == "always" { "old/index.html" } else { "old.html" };
            let about = if slash == "always" { "/about/#y" } else { "/about#y" };
            assert!(text(&files, stub).contains(&format!("data-to=\"{folder}{about}\"")), "{}", text(&files, stub));
        }
    }
}
