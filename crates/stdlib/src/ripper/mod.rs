//! Ripper's native part: the tokens of a source as prism's lexer makes them, and the steps by which the parser's events come
//! about (`events`). Which events the tokens are and who hears of them is Ruby's matter (`tokens.rb`, `steps.rb`).

mod contents;
mod events;
mod lexer;

use asterism_object::{Value, string};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Exc, Res};

/// The Ruby part.
pub static SOURCES: &[(&str, &str)] = &[
    ("<internal:ripper>", include_str!("ripper.rb")),
    ("<internal:ripper/tables>", include_str!("tables.rb")),
    ("<internal:ripper/tokens>", include_str!("tokens.rb")),
    ("<internal:ripper/steps>", include_str!("steps.rb")),
    ("<internal:ripper/errors>", include_str!("errors.rb")),
    ("<internal:ripper/magic>", include_str!("magic.rb")),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[("ripper_lex", ripper_lex)];

/// Registers the primitives.
///
/// # Errors
/// None: the signature is that of what loads a feature.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// So much memory is taken for a byte of the source: a token of prism's (what is serialized and what is made of it).
const MEMORY_PER_BYTE: usize = 64;

/// `Primitive.ripper_lex(source, encoding_name, parse)`: an Array of four Integers for each token (type, start, length, the state
/// behind it), one of `[message, start, length, level]` for each error, the name of the encoding that the source says it has,
/// the steps of the parser's events with the names in them, if they are asked for, and the warnings, as the errors.
fn ripper_lex(ec: &mut Ec, args: &[Value]) -> Res {
    let &[source, encoding, parse] = args else {
        return Err(ec.fatal("an argument is missing"));
    };
    let source = string::read(ec, source).as_bytes().to_vec();
    let encoding = string::read(ec, encoding).as_bytes().to_vec();
    if u32::try_from(source.len()).is_err() {
        return Err(ec.raise(Exc::ArgumentError, "source is too long"));
    }
    let memory = if parse.truthy() { MEMORY_PER_BYTE * 4 } else { MEMORY_PER_BYTE };
    let _charge = ec.charge(source.len() * memory)?;
    let lexed = match ec.blocking(|| lexer::lex(&source, &encoding, parse.truthy())) {
        Ok(lexed) => lexed,
        Err(e) => return Err(ec.raise(Exc::NoMemoryError, format!("no memory to parse: {e}"))),
    };
    if lexed.steps.too_deep {
        return Err(ec.raise(Exc::SystemStackError, "stack level too deep"));
    }
    let tokens = ec.array_with_capacity(lexed.tokens.len() * 4)?;
    for token in &lexed.tokens {
        for n in [token.kind, token.start, token.length, token.state] {
            ec.array_push(tokens, Value::fixnum(i64::from(n)))?;
        }
    }
    let errors = diagnostics(ec, &lexed.errors)?;
    let warnings = diagnostics(ec, &lexed.warnings)?;
    let code = ec.array_with_capacity(lexed.steps.code.len())?;
    for &word in &lexed.steps.code {
        ec.array_push(code, Value::fixnum(i64::from(word)))?;
    }
    let names = ec.array(&[])?;
    for name in &lexed.steps.names {
        let name = ec.str(name)?;
        ec.array_push(names, name)?;
    }
    let name = ec.str(&lexed.encoding)?;
    ec.array(&[tokens, errors, name, code, names, warnings])
}

fn diagnostics(ec: &mut Ec, list: &[lexer::Diagnostic]) -> Res {
    let all = ec.array(&[])?;
    for one in list {
        let message = ec.str(&one.message)?;
        let numbers = [one.start, one.length, u32::from(one.level)].map(|n| Value::fixnum(i64::from(n)));
        let one = ec.array(&[message, numbers[0], numbers[1], numbers[2]])?;
        ec.array_push(all, one)?;
    }
    Ok(all)
}
