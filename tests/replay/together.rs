//! Builds of one project side by side, of several versions, and with what damaged disks and dead processes leave.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    process::{Child, Stdio},
    thread,
    time::Duration,
};

use super::{CACHE, assert_succeeds, built, clean, install, is_replayed, portal};
use crate::support::{
    project::{Outcome, Project, tree},
    random::Random,
};

const ROUNDS: usize = 3;
const BUILDS: usize = 8;

#[test]
fn builds_at_once_that_are_killed_leave_a_right_portal() {
    let project = built();
    let mut random = Random::new(5321);
    for round in 0..ROUNDS {
        install(&project, ["second", "third", "first"][round % 3]);
        let start = |number: usize| -> Child {
            let mut command = project.command(if number % 4 == 3 { "check" } else { "build" });
            command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
        };
        let mut children: Vec<Child> = (0..BUILDS).map(start).collect();
        for child in &mut children {
            thread::sleep(Duration::from_millis(random.below(120) as u64));
            if random.chance(50) {
                child.kill().unwrap();
            }
        }
        let ended: Vec<_> = children.into_iter().map(|mut child| child.wait().unwrap()).collect();
        assert!(ended.iter().all(|status| status.code().is_none_or(|code| code == 0)), "{ended:?}");
        assert_succeeds(&project.build(&[]));
        assert_eq!(project.published(), clean(&project));
        assert!(is_replayed(&project, &[]));
    }
}

#[test]
fn what_is_damaged_is_not_used_and_goes() {
    let project = built();
    let published = project.published();
    let kept = tree(&project.path(CACHE));
    assert!(kept.len() >= 2, "results and a build: {:?}", kept.keys());
    let restore = || {
        fs::remove_dir_all(project.path(CACHE)).unwrap();
        for (path, bytes) in &kept {
            project.write_bytes(&format!("{CACHE}/{path}"), bytes);
        }
    };
    let mut random = Random::new(96_093);
    for (path, bytes) in &kept {
        let flipped = |at: usize| [&bytes[..at], &[bytes[at] ^ 4], &bytes[at + 1..]].concat();
        let another = kept.iter().find(|(other, _)| *other != path).unwrap().1;
        let damaged = [
            flipped(0),
            flipped(random.below(bytes.len())),
            flipped(bytes.len() - 1),
            bytes[..bytes.len() / 2].to_vec(),
            vec![0; bytes.len()],
            Vec::new(),
            another.clone(),
        ];
        for (number, damaged) in damaged.iter().enumerate() {
            restore();
            project.write_bytes(&format!("{CACHE}/{path}"), damaged);
            // Another build than the one that is kept, so that results are looked for.
            for arguments in [&["--no-minify"][..], &["--base", "/app/"], &[]] {
                let outcome = project.build(arguments);
                assert_succeeds(&outcome);
                assert_eq!(outcome.stderr, "", "{path}, {number}");
            }
            assert_eq!(project.published(), published, "{path}, {number}");
            assert!(is_replayed(&project, &[]), "{path}, {number}: the second start is clean");
        }
    }
}

#[test]
fn a_folder_of_results_that_is_gone_is_made_again() {
    let project = built();
    fs::remove_dir_all(project.path(CACHE)).unwrap();
    assert!(!is_replayed(&project, &[]));
    assert!(is_replayed(&project, &[]));
}

/// The program as a later version would be: it has another identity.
fn later_version(project: &Project) -> Vec<u8> {
    let identity = env!("PORTALGEN_IDENTITY").as_bytes();
    let mut program = fs::read(project.command("build").get_program()).unwrap();
    let places: Vec<usize> =
        program.windows(identity.len()).enumerate().filter(|(_, bytes)| *bytes == identity).map(|(at, _)| at).collect();
    assert!(!places.is_empty(), "the program has its identity in it");
    for at in places {
        program[at..at + identity.len()].copy_from_slice(b"another version1");
    }
    program
}

#[test]
fn versions_by_turns_neither_use_nor_clear_what_the_other_keeps() {
    let project = portal();
    let folder = tempfile::tempdir().unwrap();
    let later = folder.path().join("portalgen");
    fs::write(&later, later_version(&project)).unwrap();
    fs::set_permissions(&later, fs::Permissions::from_mode(0o755)).unwrap();
    let build_later = || {
        let mut command = std::process::Command::new(&later);
        let outcome = Outcome::of(command.args(["build", "--timings", "--lang", "en"]).current_dir(project.path("")));
        assert_succeeds(&outcome);
        !outcome.stderr.contains("  documents\n")
    };
    for _ in 0..2 {
        assert_succeeds(&project.build(&[]));
    }
    assert!(!build_later(), "another version has nothing to go by");
    let kept = tree(&project.path(CACHE));
    for _ in 0..3 {
        assert!(is_replayed(&project, &[]) && build_later());
    }
    assert!(kept.keys().eq(tree(&project.path(CACHE)).keys()));
    install(&project, "second");
    assert!(!is_replayed(&project, &[]) && !build_later());
    assert!(is_replayed(&project, &[]) && build_later());
}
