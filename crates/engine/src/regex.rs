//! Which regular expressions the engine takes, asked before code that contains them is compiled: its parser would refuse
//! a whole script for one.

use std::cell::RefCell;

use rquickjs::{Context, Function, Module, Persistent, Result, Runtime};
use rustc_hash::FxHashMap;

use super::{globals::PATTERNS, sentences};

/// What the engine makes of a regular expression literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// Its parser takes the literal.
    Taken,
    /// Its parser does not, and browsers may: the constructor has to be called, which makes the expression or throws
    /// where it is used.
    ToConstruct,
    /// No engine takes it, for this reason.
    Invalid(String),
}

/// Judges a regular expression literal by its pattern and its flags.
pub fn judge_expression(pattern: &str, flags: &str) -> Expression {
    let literal = (pattern.to_owned(), flags.to_owned());
    VERDICTS.with_borrow_mut(|known| {
        known.entry(literal).or_insert_with_key(|(pattern, flags)| judge(pattern, flags)).clone()
    })
}

fn judge(pattern: &str, flags: &str) -> Expression {
    if levels(pattern) > MAX_LEVELS {
        return Expression::ToConstruct;
    }
    match JUDGE.with_borrow_mut(|judge| ask(judge, pattern, flags)) {
        // Without memory to ask, compiling the script will tell.
        Err(_) | Ok(None) => Expression::Taken,
        Ok(Some(reason)) if reason.is_empty() || sentences::is_limit_of_expressions(&reason) => Expression::ToConstruct,
        Ok(Some(reason)) => Expression::Invalid(sentences::reason_against_expression(&reason).to_owned()),
    }
}

/// Groups and classes that are nested deeper than this are not tried: the engine recurses for each.
const MAX_LEVELS: usize = 500;

/// At most how many groups and classes are open at once.
fn levels(pattern: &str) -> usize {
    let (mut open, mut most) = (0_usize, 0);
    for byte in pattern.bytes() {
        match byte {
            b'(' | b'[' => open += 1,
            b')' | b']' => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Fields are dropped in this order: the function before its context, the context before the runtime.
struct Judge {
    function: Persistent<Function<'static>>,
    context: Context,
    _runtime: Runtime,
}

thread_local! {
    /// An engine for each thread that parses: starting one takes as long as hundreds of questions.
    static JUDGE: RefCell<Option<Judge>> = const { RefCell::new(None) };
    /// The literals that were judged: each is asked about once for each bundle, and again where it may be replaced.
    static VERDICTS: RefCell<FxHashMap<(String, String), Expression>> = RefCell::default();
}

fn ask(judge: &mut Option<Judge>, pattern: &str, flags: &str) -> Result<Option<String>> {
    let Judge { function, context, .. } = match judge {
        Some(judge) => judge,
        None => judge.insert(Judge::start()?),
    };
    context.with(|ctx| function.clone().restore(&ctx)?.call((pattern, flags)))
}

impl Judge {
    fn start() -> Result<Self> {
        let runtime = Runtime::new()?;
        let context = Context::full(&runtime)?;
        let function = context.with(|ctx| {
            let (module, evaluated) = Module::declare(ctx.clone(), PATTERNS.name, PATTERNS.text)?.eval()?;
            evaluated.finish::<()>()?;
            Ok::<_, rquickjs::Error>(Persistent::save(&ctx, module.get::<_, Function>("judge")?))
        })?;
        Ok(Self { function, context, _runtime: runtime })
    }
}
