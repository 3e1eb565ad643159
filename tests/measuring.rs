//! What is told of the time that a build takes.

use std::{collections::BTreeMap, fs};

use serde_json::Value;

use crate::support::project::Project;

fn portal() -> Project {
    Project::new(&[
        (
            "routes.toml",
            "[[route]]\npath = \"/\"\ntitle = \"Home\"\n\n[[route]]\npath = \"/about\"\ntitle = \"About\"\n",
        ),
        ("site/pages/index.tsx", "export default () => <h1>home</h1>;\n"),
        ("site/pages/about.tsx", "export default () => <h1>about</h1>;\n"),
    ])
}

fn times(result: &Value, key: &str) -> BTreeMap<String, f64> {
    let times = result[key].as_object().unwrap();
    times.iter().map(|(stage, time)| (stage.clone(), time.as_f64().unwrap())).collect()
}

#[test]
fn stages_share_the_processor_time_of_the_process() {
    let result = portal().build(&["--json", "--timings"]);
    let result: Value = serde_json::from_str(&result.stdout).unwrap();
    let (clock, processors) = (times(&result, "milliseconds"), times(&result, "processorMilliseconds"));
    assert!(clock.keys().eq(processors.keys()));
    let bundle = ["bundle for the browser: load", "bundle for the browser: emit"];
    let others = ["compile for the engine", "prerender", "documents", "compress", "publish"];
    for stage in bundle.into_iter().chain(others) {
        assert!(processors[stage] > 0.0, "{stage}: {processors:?}");
    }
    let wholes: f64 =
        processors.iter().filter(|(stage, _)| !stage.contains(':') && *stage != "total").map(|it| it.1).sum();
    assert!(wholes <= processors["total"], "{processors:?}");
    for (part, time) in processors.iter().filter_map(|(stage, time)| Some((stage.split_once(": ")?.0, time))) {
        assert!(*time <= processors[part], "{part}: {processors:?}");
    }
}

#[test]
fn processor_time_is_told_where_it_is_asked_for() {
    let project = portal();
    let result = project.build(&["--json"]);
    let result: Value = serde_json::from_str(&result.stdout).unwrap();
    assert!(result["milliseconds"]["total"].is_number() && result.get("processorMilliseconds").is_none());
    let table = project.build(&["--timings"]).stderr;
    let mut lines = table.lines();
    assert_eq!(lines.next().unwrap().split_whitespace().collect::<Vec<_>>(), ["clock", "processors", "stage"]);
    let total = lines.last().unwrap().split_whitespace().collect::<Vec<_>>();
    assert_eq!((total[1], total[3], total[4]), ("ms", "ms", "total"), "{table}");
}

/// Spans by thread, as start, end, stage and name.
fn spans(trace: &Value) -> BTreeMap<u64, Vec<(f64, f64, String, String)>> {
    let mut spans = BTreeMap::<_, Vec<_>>::new();
    for event in trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "X") {
        let (start, text) = (event["ts"].as_f64().unwrap(), |key: &str| event[key].as_str().unwrap().to_owned());
        let span = (start, start + event["dur"].as_f64().unwrap(), text("cat"), text("name"));
        spans.entry(event["tid"].as_u64().unwrap()).or_default().push(span);
    }
    spans
}

#[test]
fn a_trace_has_every_piece_of_work_on_its_thread() {
    let project = portal();
    assert_eq!(project.build(&["--trace", "trace.json"]).code, 0);
    let trace: Value = serde_json::from_slice(&fs::read(project.path("trace.json")).unwrap()).unwrap();
    let mut spans = spans(&trace);
    let has = |stage: &str, name: &str| spans.values().flatten().any(|span| span.2 == stage && span.3 == name);
    assert!(has("bundle for the browser: load", "site/pages/about.tsx"));
    assert!(has("bundle for the engine: load", "site/pages/about.tsx"));
    assert!(has("bundle for the browser: emit", "about"));
    assert!(has("prerender", "/about"));
    assert!(has("documents", "/about"));
    assert!(has("publish", "publish"));
    let names = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["ph"] == "M");
    assert!(names.map(|event| event["tid"].as_u64().unwrap()).eq(spans.keys().copied()));
    // On one thread a span lies within another one or beside it.
    for (thread, spans) in &mut spans {
        spans.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
        let mut open: Vec<f64> = Vec::new();
        for (start, end, _, name) in spans {
            open.retain(|outer| *outer > *start);
            assert!(open.last().is_none_or(|outer| *end <= *outer), "{name} on {thread}");
            open.push(*end);
        }
    }
}

#[test]
fn a_build_that_fails_has_a_trace_too() {
    let project = portal();
    project.write("site/pages/about.tsx", "export default () => <h1>;\n");
    assert_eq!(project.build(&["--trace", "trace.json"]).code, 1);
    let trace: Value = serde_json::from_slice(&fs::read(project.path("trace.json")).unwrap()).unwrap();
    assert!(spans(&trace).values().flatten().any(|span| span.3 == "site/pages/about.tsx"));
}

#[test]
fn a_trace_that_cannot_be_written_is_a_failure() {
    let result = portal().build(&["--trace", "nowhere/trace.json"]);
    assert_eq!(result.code, 2);
    assert!(result.stderr.starts_with("error: cannot write the trace to `nowhere/trace.json`: "), "{}", result.stderr);
    assert!(!result.stderr.contains("nothing was published"), "{}", result.stderr);
}
