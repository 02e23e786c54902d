//! `require "io/console"`: what the terminal's driver is asked and told. Everything else is Ruby.

use asterism_core::errno;
use asterism_object::space::WellKnown;
use asterism_object::{Value, array};
use asterism_system::io::object::stream;
use asterism_vm::{Args, Ec, NativeDef, Res};
use rustix::termios::{
    self, InputModes, LocalModes, OptionalActions, OutputModes, QueueSelector, SpecialCodeIndex, Termios, Winsize,
};

/// The Ruby part.
pub const SOURCES: &[(&str, &str)] = &[
    ("<internal:io/console>", include_str!("console.rb")),
    ("<internal:io/console/screen>", include_str!("screen.rb")),
];

static IO: &[NativeDef] = &[
    NativeDef::new("__terminal_mode", mode, 0, 0).private(),
    NativeDef::new("__set_terminal_mode", set_mode, 1, 1).private(),
    NativeDef::new("__set_terminal_size", set_size, 4, 4).private(),
    NativeDef::new("__discard", discard, 1, 1).private(),
    NativeDef::new("__terminal_name", name, 0, 0).private(),
];

static SINGLETON: &[NativeDef] = &[NativeDef::new("__change_terminal_mode", change, 5, 5).private()];

/// Defines the primitives.
///
/// # Errors
/// NoMemoryError.
pub fn define(ec: &mut Ec) -> Res<()> {
    let io = ec.known(WellKnown::IO);
    ec.define_natives(io, IO)?;
    crate::generic_io::define(ec)?;
    ec.define_singleton_natives(io, SINGLETON)
}

/// The numbers of a mode, as Ruby holds them: flags of input, output and lines, the least number of bytes a raw read waits
/// for, and for how many tenths of a second. The other settings stay what they are.
struct Mode {
    input: u32,
    output: u32,
    local: u32,
    min: u8,
    time: u8,
}

impl Mode {
    fn of(termios: &Termios) -> Mode {
        Mode {
            input: termios.input_modes.bits(),
            output: termios.output_modes.bits(),
            local: termios.local_modes.bits(),
            min: termios.special_codes[SpecialCodeIndex::VMIN],
            time: termios.special_codes[SpecialCodeIndex::VTIME],
        }
    }

    fn apply(&self, termios: &mut Termios) {
        termios.input_modes = InputModes::from_bits_retain(self.input);
        termios.output_modes = OutputModes::from_bits_retain(self.output);
        termios.local_modes = LocalModes::from_bits_retain(self.local);
        termios.special_codes[SpecialCodeIndex::VMIN] = self.min;
        termios.special_codes[SpecialCodeIndex::VTIME] = self.time;
    }

    fn to_ruby(&self, ec: &mut Ec) -> Res {
        let numbers = [self.input, self.output, self.local, self.min.into(), self.time.into()];
        ec.array(&numbers.map(|n| Value::fixnum(n.into())))
    }

    fn from_ruby(ec: &mut Ec, numbers: Value) -> Res<Mode> {
        let mut read = [0; 5];
        for (i, number) in read.iter_mut().enumerate() {
            *number = ec.to_i64(array::at(numbers, i).unwrap_or(Value::NIL))?;
        }
        let [input, output, local, min, time] = read;
        Ok(Mode { input: input as u32, output: output as u32, local: local as u32, min: min as u8, time: time as u8 })
    }

    /// Each byte comes at once and as it is, nothing is shown.
    fn raw(&mut self) {
        let input = InputModes::IGNBRK
            | InputModes::BRKINT
            | InputModes::PARMRK
            | InputModes::ISTRIP
            | InputModes::INLCR
            | InputModes::IGNCR
            | InputModes::ICRNL
            | InputModes::IXON;
        self.input &= !input.bits();
        self.output &= !OutputModes::OPOST.bits();
        self.local &= !(SHOWN | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN).bits();
        (self.min, self.time) = (1, 0);
    }

    /// Keys that interrupt do so, and lines end at the left.
    fn interruptible(&mut self) {
        self.input |= InputModes::BRKINT.bits();
        self.local |= LocalModes::ISIG.bits();
        self.output |= OutputModes::OPOST.bits();
    }

    /// Lines that can be edited, shown as they are typed.
    fn cooked(&mut self) {
        self.input |= (InputModes::BRKINT | InputModes::ISTRIP | InputModes::ICRNL | InputModes::IXON).bits();
        self.output |= OutputModes::OPOST.bits();
        self.local |= (SHOWN | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN).bits();
    }
}

/// What is shown of what is typed.
const SHOWN: LocalModes = LocalModes::ECHO.union(LocalModes::ECHOE).union(LocalModes::ECHOK).union(LocalModes::ECHONL);

/// `__terminal_mode`: the numbers, and whether what is typed is shown.
fn mode(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let fd = stream(ec, this)?.fd(ec)?;
    match termios::tcgetattr(&*fd) {
        Ok(termios) => Mode::of(&termios).to_ruby(ec),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// `__set_terminal_mode(numbers)`, when what was written has left.
fn set_mode(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mode = Mode::from_ruby(ec, args[0])?;
    let fd = stream(ec, this)?.fd(ec)?;
    let set = ec.blocking(|| {
        let mut termios = termios::tcgetattr(&*fd)?;
        mode.apply(&mut termios);
        termios::tcsetattr(&*fd, OptionalActions::Drain, &termios)
    });
    set.map_or_else(|e| Err(errno::raise(ec, e, "")), |()| Ok(Value::NIL))
}

/// `IO.__change_terminal_mode(numbers, how, min, time, intr)`: other numbers. `how` is `:raw`, `:cooked`, `:echo`, `:noecho`, or
/// `:echo?`, which answers whether what is typed is shown.
fn change(ec: &mut Ec, _this: Value, args: Args<'_>) -> Res {
    let mut mode = Mode::from_ruby(ec, args[0])?;
    match args[1].as_sym().map(|how| how.text().to_string()).as_deref() {
        Some("raw") => {
            mode.raw();
            if args[2].truthy() {
                mode.min = ec.to_i64(args[2])? as u8;
            }
            if args[3].truthy() {
                mode.time = ec.to_i64(args[3])? as u8;
            }
            if args[4].truthy() {
                mode.interruptible();
            }
        }
        Some("cooked") => mode.cooked(),
        Some("echo") => mode.local |= SHOWN.bits(),
        Some("noecho") => mode.local &= !SHOWN.bits(),
        _ => {
            let shown = mode.local & (LocalModes::ECHO | LocalModes::ECHONL).bits() != 0;
            return Ok(Value::bool(shown));
        }
    }
    mode.to_ruby(ec)
}

/// `__set_terminal_size(rows, columns, width, height)`
fn set_size(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let mut sizes = [0; 4];
    for (i, size) in sizes.iter_mut().enumerate() {
        let n = ec.to_i64(args[i])?;
        *size =
            u16::try_from(n).map_err(|_| ec.range_error(format!("integer {n} out of range of a terminal's size")))?;
    }
    let [ws_row, ws_col, ws_xpixel, ws_ypixel] = sizes;
    let fd = stream(ec, this)?.fd(ec)?;
    match termios::tcsetwinsize(&*fd, Winsize { ws_row, ws_col, ws_xpixel, ws_ypixel }) {
        Ok(()) => Ok(this),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// `__discard(:input | :output | :both)`: bytes that wait in the driver are thrown away.
fn discard(ec: &mut Ec, this: Value, args: Args<'_>) -> Res {
    let queue = match args[0].as_sym().map(|which| which.text().to_string()).as_deref() {
        Some("input") => QueueSelector::IFlush,
        Some("output") => QueueSelector::OFlush,
        _ => QueueSelector::IOFlush,
    };
    let fd = stream(ec, this)?.fd(ec)?;
    match termios::tcflush(&*fd, queue) {
        Ok(()) => Ok(this),
        Err(e) => Err(errno::raise(ec, e, "")),
    }
}

/// `__terminal_name`: nil when it is not a terminal.
fn name(ec: &mut Ec, this: Value, _args: Args<'_>) -> Res {
    let fd = stream(ec, this)?.fd(ec)?;
    match termios::ttyname(&*fd, Vec::new()) {
        Ok(name) => ec.str(name.as_bytes()),
        Err(_) => Ok(Value::NIL),
    }
}
