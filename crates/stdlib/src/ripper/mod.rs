//! Ripper's native part: the tokens of a source as prism's lexer makes them. Which events they are is Ruby's matter
//! (`tokens.rb`).

mod lexer;

use asterism_object::{Value, string};
use asterism_vm::native::PrimFn;
use asterism_vm::{Ec, Exc, Res};

/// The Ruby part.
pub static SOURCES: &[(&str, &str)] = &[
    ("<internal:ripper>", include_str!("ripper.rb")),
    ("<internal:ripper/tables>", include_str!("tables.rb")),
    ("<internal:ripper/tokens>", include_str!("tokens.rb")),
];

static PRIMITIVES: &[(&str, PrimFn)] = &[("ripper_lex", ripper_lex)];

/// Registers the primitives.
///
/// # Errors
/// None so far.
pub fn init(ec: &mut Ec) -> Res<()> {
    ec.vm().add_primitives(PRIMITIVES);
    Ok(())
}

/// So much memory is taken for a byte of the source: a token of prism's (what is serialized and what is made of it).
const MEMORY_PER_BYTE: usize = 64;

/// `Primitive.ripper_lex(source, encoding_name)`: an Array of four Integers for each token (type, start, length, the state
/// behind it), one of `[message, start, length]` for each error, and the name of the encoding that the source says it has.
fn ripper_lex(ec: &mut Ec, args: &[Value]) -> Res {
    let (Some(&source), Some(&encoding)) = (args.first(), args.get(1)) else {
        return Err(ec.fatal("an argument is missing"));
    };
    let source = string::read(ec, source).as_bytes().to_vec();
    let encoding = string::read(ec, encoding).as_bytes().to_vec();
    if u32::try_from(source.len()).is_err() {
        return Err(ec.raise(Exc::ArgumentError, "source is too long"));
    }
    let _charge = ec.charge(source.len() * MEMORY_PER_BYTE)?;
    let lexed = match ec.blocking(|| lexer::lex(&source, &encoding)) {
        Ok(lexed) => lexed,
        Err(e) => return Err(ec.raise(Exc::NoMemoryError, format!("no memory to parse: {e}"))),
    };
    let tokens = ec.array_with_capacity(lexed.tokens.len() * 4)?;
    for token in &lexed.tokens {
        for n in [token.kind, token.start, token.length, token.state] {
            ec.array_push(tokens, Value::fixnum(i64::from(n)))?;
        }
    }
    let errors = ec.array(&[])?;
    for error in &lexed.errors {
        let message = ec.str(&error.message)?;
        let start = Value::fixnum(i64::from(error.start));
        let length = Value::fixnum(i64::from(error.length));
        let one = ec.array(&[message, start, length])?;
        ec.array_push(errors, one)?;
    }
    let name = ec.str(&lexed.encoding)?;
    ec.array(&[tokens, errors, name])
}
