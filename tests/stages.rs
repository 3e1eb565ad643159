//! The stages of a build called one by one, and a session that outlives a build.

use std::{fs, sync::Arc};

use portalgen_base::{diagnostic::Diagnostic, source::Disk};
use portalgen_build::pipeline::{self, BuildOptions, Context, Renderer, Session};

use crate::support::{
    project::Project,
    stages::{on_deep_stacks, options},
};

const ROUTES: &str = "[portal]\nlang = \"en\"\nproduct = \"Acme\"\n\n\
    [[route]]\npath = \"/\"\ntitle = \"Home\"\ncomponent = \"pages/index.tsx\"\n\n\
    [[route]]\npath = \"/about\"\ntitle = \"About\"\ncomponent = \"pages/about.tsx\"\n\n\
    [[route]]\npath = \"/old\"\nredirect = \"/about\"\n";

fn portal(about: &str) -> Project {
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/pages/index.tsx", "export default () => <h1>home</h1>;\n"),
        ("site/pages/about.tsx", about),
    ])
}

fn session(options: &BuildOptions) -> Session {
    Session::new(Arc::new(Disk::of_project(&options.root)))
}

/// The published files by their paths, and the manifest.
fn files(session: &Session, options: &BuildOptions) -> Vec<(String, Vec<u8>)> {
    let build = on_deep_stacks(|| pipeline::build(session, options)).unwrap();
    let files = build.output.iter().map(|(path, file)| (path.clone(), file.bytes.clone()));
    files.chain([("manifest".to_owned(), build.manifest.to_json().into_bytes())]).collect()
}

/// Renders the pages at some paths, after the stages that this needs and no others.
fn render(project: &Project, paths: &[&str]) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    let options = options(project);
    let session = session(&options);
    let context = Context { session: &session, options: &options };
    on_deep_stacks(|| {
        let site = pipeline::expand(&options.root, pipeline::configure(context)?)?;
        let bundle = pipeline::bundle_for_engine(context, &site)?;
        let renderer = Renderer::compile(context, &site, bundle)?;
        let mut jobs = pipeline::page_jobs(&site);
        jobs.retain(|job| paths.contains(&job.path.as_str()));
        let pages = pipeline::render(context, &site, &renderer, &jobs);
        let pages =
            pages.map_err(|problems| problems.into_iter().map(|problem| problem.diagnostic).collect::<Vec<_>>())?;
        Ok(pages.rendered.into_iter().map(|page| (page.path, page.html)).collect())
    })
}

#[test]
fn a_page_is_rendered_by_itself() {
    let project = portal("export default () => { throw new Error(\"not asked for\"); };\n");
    let pages = render(&project, &["/"]).unwrap();
    assert_eq!(pages.len(), 1, "{pages:?}");
    assert_eq!(pages[0].0, "/");
    assert!(pages[0].1.contains("<h1>home</h1>"), "{pages:?}");
    let problems = render(&project, &["/", "/about"]).unwrap_err();
    assert!(problems[0].message.english().contains("not asked for"), "{problems:?}");
}

#[test]
fn the_engine_gets_one_renderer_of_react() {
    let project = portal("export default () => <p>about</p>;\n");
    let options = options(&project);
    let session = session(&options);
    let context = Context { session: &session, options: &options };
    let bundle = on_deep_stacks(|| {
        let site = pipeline::expand(&options.root, pipeline::configure(context).unwrap()).unwrap();
        pipeline::bundle_for_engine(context, &site).unwrap()
    });
    let modules = bundle.chunks.iter().flat_map(|chunk| &chunk.modules);
    let renderers: Vec<_> = modules.filter(|name| name.contains("react-dom/cjs/react-dom-server")).collect();
    // Not the one for `renderToString` besides, which is as large.
    assert!(matches!(renderers[..], [name] if name.contains("react-dom-server.edge.")), "{renderers:?}");
}

#[test]
fn builds_of_one_session_are_those_of_a_new_one() {
    let project = portal("export default () => <p>first</p>;\n");
    let options = BuildOptions { minify: true, compress: true, ..options(&project) };
    let kept = session(&options);
    let first = files(&kept, &options);
    let scans = kept.modules.scans();
    assert!(first == files(&kept, &options), "nothing has changed");
    assert_eq!(kept.modules.scans(), scans, "no module is parsed again");

    let page = options.root.join("site/pages/about.tsx");
    fs::write(&page, "export default () => <p>second</p>;\n").unwrap();
    kept.modules.changed(&[page]);
    let second = files(&kept, &options);
    assert!(first != second, "the page has changed");
    assert!(second == files(&session(&options), &options), "a new session makes the same files");
}
