//! What `portalgen check` says where a folder in `tests/fixtures/check` cannot show it.

use crate::support::project::{Outcome, Project};

#[test]
fn a_package_may_draw_its_part_of_a_page_in_the_browser() {
    let routes = "[portal]\nhost = \"https://portal.example\"\n\n[check]\nmissing-description = \"off\"\n\n\
                  [[route]]\npath = \"/\"\ntitle = \"Letter\"\n\n[not_found]\ntitle = \"Not found\"\n";
    for (import, kind) in [("editor", "warning"), ("@scope/editor", "warning"), ("../parts/editor", "error")] {
        let page = format!(
            "import Editor from \"{import}\";\nexport default function Letter() {{\n  return <Editor />;\n}}\n"
        );
        let project = Project::new(&[("routes.toml", routes), ("site/pages/index.tsx", &page)]);
        let editor = "import { jsx } from \"react/jsx-runtime\";\nexport default () => jsx(\"div\", {});\n";
        for folder in ["node_modules/editor", "node_modules/@scope/editor"] {
            project
                .write(&format!("site/{folder}/package.json"), "{ \"type\": \"module\", \"exports\": \"./index.js\" }");
            project.write(&format!("site/{folder}/index.js"), editor);
        }
        project.write("site/parts/editor.tsx", "export default () => <div />;\n");
        let Outcome { code, stderr, stdout } = Outcome::of(&mut project.command("check"));
        let said = stderr + &stdout;
        assert!(said.contains(&format!("{kind}[empty-page]: `site/pages/index.tsx`")), "{import}: {said}");
        assert_eq!(code, i32::from(kind == "error"), "{import}: {said}");
    }
}
