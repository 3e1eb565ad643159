use std::{fs, path::PathBuf, sync::Arc};

use portalgen_base::source::{Disk, Sources};
use portalgen_portal::{
    Overrides, Portal, RoutePath,
    edit::{Edit, Key},
};
use tempfile::TempDir;

use super::{NotEdited, NotReplaced, RoutesFile, Written};

const ROUTES: &str = "# the portal\n[[route]]   # home\npath = '/'\ntitle    =   'Welcome'   # a remark\n\n\
                      [[route]]\npath = \"/about\"\ntitle = \"About\"\n";

struct Project {
    folder: TempDir,
    root: PathBuf,
    sources: Arc<dyn Sources>,
}

impl Project {
    fn of(routes: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let root = folder.path().canonicalize().unwrap();
        fs::create_dir_all(root.join("site/pages")).unwrap();
        for page in ["index", "about"] {
            fs::write(root.join(format!("site/pages/{page}.tsx")), "export default () => null;\n").unwrap();
        }
        let project = Self { sources: Arc::new(Disk::of_project(&root)), folder, root };
        project.write(routes);
        project
    }

    fn write(&self, routes: &str) {
        fs::write(self.root.join("routes.toml"), routes).unwrap();
    }

    fn text(&self) -> String {
        fs::read_to_string(self.folder.path().join("routes.toml")).unwrap()
    }

    fn portal(&self) -> Portal {
        portalgen_portal::load(&*self.sources, &self.root, &Overrides::default()).unwrap().0
    }

    fn edit(&self, path: &str, key: Key, text: &str) -> Result<Written, NotEdited> {
        let edit = Edit { path: RoutePath::parse(path).unwrap(), key, text: text.to_owned() };
        let overrides = Overrides::default();
        let file = RoutesFile { root: &self.root, sources: &*self.sources, overrides: &overrides };
        Ok(file.rehearse(&self.portal(), &[edit])?.write()?)
    }

    fn undo(&self, written: &Written) -> Result<Written, NotEdited> {
        let overrides = Overrides::default();
        let file = RoutesFile { root: &self.root, sources: &*self.sources, overrides: &overrides };
        Ok(file.rehearse_undoing(&self.portal(), written)?.write()?)
    }
}

#[test]
fn what_was_edited_is_restored_to_the_byte() {
    for routes in [ROUTES.to_owned(), ROUTES.replace('\n', "\r\n"), format!("\u{feff}{ROUTES}")] {
        let project = Project::of(&routes);
        let first = project.edit("/", Key::Title, "关于").unwrap();
        let between = project.text();
        let second = project.edit("/about", Key::Description, "What we do").unwrap();
        let third = project.edit("/about", Key::Title, "About").unwrap();
        assert!(third.changes.is_empty());
        project.undo(&second).unwrap();
        assert_eq!(project.text(), between);
        project.undo(&first).unwrap();
        assert_eq!(project.text(), routes);
    }
}

#[test]
fn what_others_have_changed_meanwhile_stays() {
    let project = Project::of(ROUTES);
    let replaced = project.edit("/", Key::Title, "Hello").unwrap();
    let added = project.edit("/about", Key::Description, "What we do").unwrap();
    project.write(&project.text().replace("# the portal", "# our portal").replace("\"About\"", "\"Us\""));
    project.undo(&added).unwrap();
    project.undo(&replaced).unwrap();
    let expected = ROUTES.replace("'Welcome'", "\"Welcome\"").replace("# the", "# our").replace("\"About\"", "\"Us\"");
    assert_eq!(project.text(), expected);
}

#[test]
fn a_key_that_was_added_is_taken_out_alone() {
    for (routes, left) in [
        ("route = [{ path = '/' }, { path = '/about' }]\n", "route = [{ path = '/' }, { path = '/about' }] # x\n"),
        (
            "[[route]]\n  path = '/'\n[[route]]\npath = '/about'",
            "[[route]]\n  path = '/'\n[[route]]\npath = '/about' # x",
        ),
    ] {
        let project = Project::of(routes);
        let written = project.edit("/", Key::Title, "Home").unwrap();
        let end = if routes.ends_with('\n') { "\n" } else { "" };
        project.write(&format!("{} # x{end}", project.text().trim_end()));
        project.undo(&written).unwrap();
        assert_eq!(project.text(), left);
    }
    let project = Project::of("[[route]]\npath = '/'\n");
    let written = project.edit("/", Key::Title, "Home").unwrap();
    project.write("[[route]]\npath = '/'\ntitle = 'Home' # who wrote that?\n");
    project.undo(&written).unwrap();
    assert_eq!(project.text(), "[[route]]\npath = '/'\n # who wrote that?\n");
}

#[test]
fn what_was_edited_again_is_not_undone() {
    let project = Project::of(ROUTES);
    let written = project.edit("/", Key::Title, "Hello").unwrap();
    let now = project.text().replace("Hello", "Good day");
    project.write(&now);
    let Err(NotEdited::Refused(refused)) = project.undo(&written) else { panic!("not refused") };
    assert_eq!(refused[0].message, "the title of `/` has been changed again since then");
    assert_eq!(project.text(), now);
}

#[test]
fn what_could_not_be_built_is_not_restored() {
    let routes = format!("{ROUTES}\n[[route]]\npath = \"/old\"\nredirect = \"/about\"\n");
    let project = Project::of(&routes);
    let written = project.edit("/old", Key::Redirect, "/").unwrap();
    let now = project.text().replace("path = \"/about\"", "path = \"/us\"\ncomponent = \"pages/about.tsx\"");
    project.write(&now);
    assert!(matches!(project.undo(&written), Err(NotEdited::Refused(_))));
    assert_eq!(project.text(), now);
}

#[test]
fn nobody_is_overwritten() {
    let project = Project::of(ROUTES);
    let overrides = Overrides::default();
    let file = RoutesFile { root: &project.root, sources: &*project.sources, overrides: &overrides };
    let edits = [Edit { path: RoutePath::parse("/").unwrap(), key: Key::Title, text: "Hello".to_owned() }];
    let read = project.portal();
    let rehearsal = file.rehearse(&read, &edits).unwrap();
    project.write("# somebody\n");
    assert!(matches!(rehearsal.write(), Err(NotReplaced::Changed)));
    assert!(matches!(file.rehearse(&read, &edits), Err(NotEdited::NotReplaced(NotReplaced::Changed))));
    assert_eq!(project.text(), "# somebody\n");
}
