//! The types of CSS modules, written by a build and checked by the TypeScript of `site/`.

use std::{fs, process::Command};

use crate::support::project::{Project, repository, tree};

const SHEET: &str = ".card{top:0}.card-title{top:0}.class{top:0}.default{top:0}.\\31 0{top:0}.ü{top:0}.__proto__{top:0}\
                     .a\\\"b\\\\c{top:0}.classes{top:0}.class0{top:0}#id{top:0}@keyframes turn{to{top:0}}";
const ROUTES: &str = "[[route]]\npath = \"/\"\n";
const PAGE: &str = "import styles from \"../parts/card.module.css\";\n\
                    export default () => <p className={styles.card}>Here</p>;\n";
const TYPES: &str = "site/.portalgen/types/parts/card.module.css.d.ts";

/// A project with the settings of the repository's own site for TypeScript.
fn typed_project() -> Project {
    let read = |path: &str| fs::read_to_string(repository().join(path)).unwrap();
    Project::new(&[
        ("routes.toml", ROUTES),
        ("site/tsconfig.json", &read("site/tsconfig.json")),
        ("site/env.d.ts", &read("site/env.d.ts")),
        ("site/parts/card.module.css", SHEET),
        ("site/pages/index.tsx", PAGE),
    ])
}

/// Builds without a word of complaint.
fn build(project: &Project) {
    let outcome = project.build(&[]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (0, ""));
}

/// What the compiler has to say about the project.
fn compile(project: &Project) -> String {
    let compiler = repository().join("site/node_modules/typescript/bin/tsc");
    let arguments = ["--project", "site", "--pretty", "false"];
    let output = Command::new("node").arg(compiler).args(arguments).current_dir(project.path("")).output().unwrap();
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_class_has_a_type_whatever_its_name() {
    let project = typed_project();
    build(&project);
    project.write(
        "site/pages/use.ts",
        "import all from \"../parts/card.module.css\";\n\
         import { card, classes, class as named, ü, \"card-title\" as title, \"10\" as ten } from \"../parts/card.module.css\";\n\
         export const names: string[] = [card, classes, named, ü, title, ten, all.card, all[\"card-title\"], all.class];\n\
         export const more: string[] = [all.default, all[\"10\"], all.ü, all[\"a\\\"b\\\\c\"], all.id, all.turn, all.class0];\n\
         export const odd: string = all[\"__proto__\"];\n",
    );
    assert_eq!(compile(&project), "");
}

#[test]
fn a_class_that_is_not_there_is_a_mistake() {
    let project = typed_project();
    build(&project);
    project.write(
        "site/parts/use.ts",
        "import all, { title } from \"./card.module.css\";\nexport const names = [all.crad, title];\nall.card = \"x\";\n",
    );
    let said = compile(&project);
    for expected in ["use.ts(1,15): error TS2614", "use.ts(2,27): error TS2339", "use.ts(3,5): error TS2540"] {
        assert!(said.contains(expected), "no {expected} in\n{said}");
    }
}

#[test]
fn a_css_module_can_be_imported_before_the_first_build() {
    assert_eq!(compile(&typed_project()), "");
}

#[test]
fn types_follow_the_sheets_and_are_left_alone_while_these_stay() {
    let project = typed_project();
    build(&project);
    let written = || fs::metadata(project.path(TYPES)).unwrap().modified().unwrap();
    let first = written();
    build(&project);
    assert_eq!(written(), first);

    project.write("site/parts/card.module.css", ".card{top:0}.other{top:0}");
    build(&project);
    let text = fs::read_to_string(project.path(TYPES)).unwrap();
    assert!(text.contains("readonly \"other\": string;") && !text.contains("title"), "{text}");

    project.write("site/pages/index.tsx", "export default () => <p>Here</p>;\n");
    build(&project);
    let left: Vec<String> = tree(&project.path("site/.portalgen")).into_keys().collect();
    assert_eq!(left, [".gitignore"]);
}

#[test]
fn sheets_that_other_sheets_compose_have_types_and_those_of_packages_have_none() {
    let project = typed_project();
    project.write("site/parts/card.module.css", ".card{composes:base from \"./base.module.css\"}");
    project.write("site/parts/base.module.css", ".base{top:0}");
    project.write("site/parts/node_modules/other/x.module.css", ".x{top:0}");
    project.write("site/parts/node_modules/other/package.json", "{\"name\":\"other\"}");
    project.write("site/parts/other.ts", "export { default } from \"other/x.module.css\";\n");
    project.write("site/pages/index.tsx", &format!("export {{ default as x }} from \"../parts/other\";\n{PAGE}"));
    build(&project);
    let files: Vec<String> = tree(&project.path("site/.portalgen/types")).into_keys().collect();
    assert_eq!(files, ["parts/base.module.css.d.ts", "parts/card.module.css.d.ts"]);
}

#[test]
fn a_site_without_typescript_is_not_written_to() {
    let project = typed_project();
    project.remove("site/tsconfig.json");
    build(&project);
    assert!(!project.path("site/.portalgen").exists());
}

#[test]
fn a_site_that_cannot_be_written_to_is_built_all_the_same() {
    let project = typed_project();
    // A file in place of the folder: a user who may do everything could write to a folder that forbids it.
    project.write("site/.portalgen", "");
    let outcome = project.build(&[]);
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("warning: the types of CSS modules are not up to date: cannot write "));
    assert!(project.path("dist/index.html").is_file());
}
