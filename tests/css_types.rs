//! The types of CSS modules, checked by the TypeScript of `site/`.

#![allow(clippy::unwrap_used)]

mod project;

use std::{fs, process::Command};

use portalgen::{bundle::css_module_types, diagnostic::SourceText};
use project::{Project, repository};

const SHEET: &str = ".card{top:0}.card-title{top:0}.class{top:0}.default{top:0}.\\31 0{top:0}.ü{top:0}.__proto__{top:0}\
                     .a\\\"b\\\\c{top:0}.classes{top:0}.class0{top:0}#id{top:0}@keyframes turn{to{top:0}}.hidden{*zoom:1}";

/// What the compiler has to say about `page.tsx`, with the types of `card.module.css` in a folder of their own.
fn compile(page: &str) -> String {
    let types = css_module_types(&SourceText::new("site/pages/card.module.css", SHEET)).unwrap();
    let settings = fs::read_to_string(repository().join("site/tsconfig.json")).unwrap();
    let settings =
        settings.replace("\"noEmit\": true", "\"noEmit\": true, \"rootDirs\": [\".\", \".portalgen/types\"]");
    let project = Project::new(&[
        ("site/tsconfig.json", &settings),
        ("site/env.d.ts", "declare module \"*.css\";\n"),
        ("site/pages/card.module.css", SHEET),
        ("site/.portalgen/types/pages/card.module.css.d.ts", &types),
        ("site/pages/page.tsx", page),
    ]);
    let compiler = repository().join("site/node_modules/typescript/bin/tsc");
    let arguments = ["--project", "site", "--pretty", "false"];
    let output = Command::new("node").arg(compiler).args(arguments).current_dir(project.path("")).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_class_has_a_type_whatever_its_name() {
    let said = compile(
        "import all from \"./card.module.css\";\n\
         import { card, classes, class as named, ü, \"card-title\" as title, \"10\" as ten } from \"./card.module.css\";\n\
         export const names: string[] = [card, classes, named, ü, title, ten, all.card, all[\"card-title\"], all.class];\n\
         export const more: string[] = [all.default, all[\"10\"], all.ü, all[\"a\\\"b\\\\c\"], all.id, all.turn, all.hidden, all.class0];\n\
         export const odd: string = all[\"__proto__\"];\n",
    );
    assert_eq!(said, "");
}

#[test]
fn a_class_that_is_not_there_is_a_mistake() {
    let said = compile(
        "import all, { title } from \"./card.module.css\";\nexport const names = [all.crad, title];\nall.card = \"x\";\n",
    );
    for expected in ["page.tsx(1,15): error TS2614", "page.tsx(2,27): error TS2339", "page.tsx(3,5): error TS2540"] {
        assert!(said.contains(expected), "no {expected} in\n{said}");
    }
}
