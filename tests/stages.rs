//! The stages of a build called one by one, and a session that outlives a build.

use std::{fs, sync::Arc};

use portalgen_base::{blob::Spill, diagnostic::Diagnostic, source::Disk};
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
    let files = build.output.iter().map(|(path, file)| (path.clone(), file.content.read().into_owned()));
    files.chain([("manifest".to_owned(), build.manifest.to_json().into_bytes())]).collect()
}

/// Renders the pages at some paths, after the stages that this needs and no others.
fn render(project: &Project, paths: &[&str]) -> Result<Vec<(String, String)>, Vec<Diagnostic>> {
    let options = options(project);
    let session = session(&options);
    let context = Context { session: &session, options: &options, spill: &Spill::default() };
    on_deep_stacks(|| {
        let site = pipeline::expand(&options.root, pipeline::configure(context)?)?;
        let bundle = pipeline::bundle_for_engine(context, &site)?;
        let renderer = Renderer::new(&site, bundle);
        let mut jobs = renderer.jobs().to_vec();
        jobs.retain(|job| paths.contains(&job.path.as_str()));
        let pages = pipeline::render(context, &site, &renderer, &jobs);
        let pages =
            pages.map_err(|problems| problems.into_iter().map(|problem| problem.diagnostic).collect::<Vec<_>>())?;
        Ok(pages.rendered.into_iter().map(|page| (page.path, page.html.text().into_owned())).collect())
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

/// A page by React that counts on everything being new: modules, ids, patched objects, timers.
const COUNTING: &str = r#"
import { createContext, lazy, Suspense, use, useContext, useId, useMemo, useReducer } from "react";
import { Link, useLocation } from "react-router-dom";
import { visit, visits } from "../visits";

const Level = createContext(0);
const Late = lazy(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  return import("../late");
});
const answer = new Promise<string>((resolve) => setTimeout(resolve, 10, "answered"));

function Nested({ depth }: { depth: number }) {
  const level = useContext(Level);
  const id = useId();
  const [state] = useReducer((value: number) => value + 1, depth);
  const shown = useMemo(() => visit(id), [id]);
  if (depth === 0) return <Suspense fallback="…"><Late level={level} /> {use(answer)}</Suspense>;
  return <Level value={level + 1}><i id={id} title={`${state} ${shown}`}><Nested depth={depth - 1} /></i></Level>;
}

export default () => {
  const { pathname } = useLocation();
  const html = <main data-visits={visits()}><h1>{pathname} é中😀</h1><Nested depth={5} /><Link to="/about">about</Link></main>;
  setInterval(() => visit("interval"), 5);
  (Object.prototype as Record<string, unknown>)[`after ${pathname}`] = visits();
  return html;
};
"#;

#[test]
fn pages_rendered_together_are_those_rendered_alone() {
    let route = |page| format!("\n[[route]]\npath = \"/p{page}\"\ntitle = \"P\"\ncomponent = \"pages/counting.tsx\"\n");
    let routes = (0..12).map(route).collect::<Vec<_>>().concat();
    let project = Project::new(&[
        ("routes.toml", &format!("{ROUTES}{routes}")),
        ("site/pages/index.tsx", COUNTING),
        ("site/pages/about.tsx", "export { default } from \"./counting\";\n"),
        ("site/pages/counting.tsx", COUNTING),
        ("site/late.tsx", "export default ({ level }: { level: number }) => <b>{level} levels</b>;\n"),
        (
            "site/visits.ts",
            "const all: string[] = [];\nexport const visit = (id: string) => all.push(id);\n\
             export const visits = () => all.join();\n",
        ),
    ]);
    let options = options(&project);
    let session = session(&options);
    let context = Context { session: &session, options: &options, spill: &Spill::default() };
    let (together, alone) = on_deep_stacks(|| {
        let site = pipeline::expand(&options.root, pipeline::configure(context).unwrap()).unwrap();
        let bundle = pipeline::bundle_for_engine(context, &site).unwrap();
        let renderer = Renderer::new(&site, bundle);
        let render = |jobs: &[_]| {
            let Ok(pages) = pipeline::render(context, &site, &renderer, jobs) else { panic!("a page failed") };
            pages.rendered
        };
        let jobs = renderer.jobs();
        (render(jobs), jobs.iter().flat_map(|job| render(std::slice::from_ref(job))).collect::<Vec<_>>())
    });
    assert!(
        together[0].html.text().contains("é中😀") && together[0].html.text().contains("<b>5<!-- --> levels</b>"),
        "{}",
        together[0].html.text()
    );
    assert_eq!(together, alone);
}

#[test]
fn the_engine_gets_one_renderer_of_react() {
    let project = portal("export default () => <p>about</p>;\n");
    let options = options(&project);
    let session = session(&options);
    let context = Context { session: &session, options: &options, spill: &Spill::default() };
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
