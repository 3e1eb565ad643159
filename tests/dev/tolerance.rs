//! A site that is not right yet shows its pages.

use portalgen_portal::Overrides;

use super::serving::Process;
use crate::support::project::Project;

#[test]
fn pages_show_in_spite_of_what_their_owner_may_decide_about() {
    let project = Project::new(&[
        (
            "routes.toml",
            "[[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/old\"\nredirect = \"/gone\"\n",
        ),
        ("site/pages/index.tsx", "export default () => <a href=\"/nowhere\">Come in</a>;\n"),
    ]);
    let strict = Process::begin(&project);
    assert_eq!(strict.mistakes().len(), 1, "as in a build");
    let tolerant = Process::begin_with(&project, Overrides { is_tolerant: true, ..Overrides::default() });
    assert!(tolerant.mistakes().is_empty());
    let (status, page) = tolerant.answers(["/".to_owned()])["/"].clone();
    assert!(status == 200 && page.contains(">Come in</a>"), "{status}\n{page}");
}
