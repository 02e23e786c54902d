//! YAML's events, and a parser and an emitter of them: libyaml as `unsafe-libyaml` has it, behind a safe interface. It
//! knows nothing of Ruby.

use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr::{self, NonNull};

use unsafe_libyaml as unsafe_yaml;

/// Where something is in the text, counted from 0.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Mark {
    /// In characters from the start.
    pub index: u64,
    /// The line.
    pub line: u64,
    /// In characters from the line's start.
    pub column: u64,
}

impl From<unsafe_yaml::yaml_mark_t> for Mark {
    fn from(mark: unsafe_yaml::yaml_mark_t) -> Mark {
        Mark { index: mark.index, line: mark.line, column: mark.column }
    }
}

/// Bytes that are UTF-8, unless they are to be emitted: then the emitter checks them.
pub type Text = Vec<u8>;

/// What a stream consists of. Encodings and styles are libyaml's numbers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// The start of the stream.
    StreamStart(u32),
    /// Its end.
    StreamEnd,
    /// The start of a document.
    DocumentStart {
        /// Major and minor number.
        version: Option<(i32, i32)>,
        /// Handles and prefixes.
        tags: Vec<(Text, Text)>,
        /// Is there no `---`?
        implicit: bool,
    },
    /// The end of a document; without `...`?
    DocumentEnd(bool),
    /// An alias for the node with this anchor.
    Alias(Text),
    /// A scalar.
    Scalar {
        /// Its anchor.
        anchor: Option<Text>,
        /// Its tag.
        tag: Option<Text>,
        /// What it is.
        value: Text,
        /// Can the tag be omitted if it is plain?
        plain: bool,
        /// Can the tag be omitted if it is quoted?
        quoted: bool,
        /// How it is written.
        style: u32,
    },
    /// The start of a sequence.
    SequenceStart(Collection),
    /// The end of a sequence.
    SequenceEnd,
    /// The start of a mapping.
    MappingStart(Collection),
    /// The end of a mapping.
    MappingEnd,
    /// Nothing.
    Nothing,
}

/// What the start of a sequence or mapping says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    /// Its anchor.
    pub anchor: Option<Text>,
    /// Its tag.
    pub tag: Option<Text>,
    /// Can the tag be omitted?
    pub implicit: bool,
    /// How it is written.
    pub style: u32,
}

/// What is wrong with a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// What.
    pub problem: Option<Text>,
    /// The byte, if it cannot be decoded.
    pub offset: u64,
    /// What was being parsed.
    pub context: Option<Text>,
    /// Where that began.
    pub mark: Mark,
}

/// Fills the start of a buffer and says how far; `None`: failed. 0 bytes are the end.
pub type Source<'a> = &'a mut dyn FnMut(&mut [u8]) -> Option<usize>;

/// The fields of a `yaml_parser_t` (`repr(C)`) up to the one that is needed and that the crate does not export.
#[repr(C)]
struct Layout {
    error: u32,
    problem: *const c_char,
    problem_offset: u64,
    problem_value: i32,
    problem_mark: unsafe_yaml::yaml_mark_t,
    context: *const c_char,
    context_mark: unsafe_yaml::yaml_mark_t,
    read_handler: Option<unsafe_yaml::yaml_read_handler_t>,
    read_handler_data: *mut c_void,
    input: [*const u8; 3],
    eof: bool,
    buffer: [*mut u8; 4],
    unread: u64,
    raw_buffer: [*mut u8; 4],
    encoding: u32,
    offset: u64,
    /// Where the scanner is.
    mark: unsafe_yaml::yaml_mark_t,
}

const _: () = assert!(size_of::<Layout>() < size_of::<unsafe_yaml::yaml_parser_t>());

/// A parser of one text.
pub struct Parser {
    /// Initialised, and this parser's own.
    raw: NonNull<unsafe_yaml::yaml_parser_t>,
    /// What the read handler is given: while there is a call of `next`, its source; this parser's own.
    source: NonNull<*mut c_void>,
}

impl Parser {
    /// `encoding`: libyaml's number, 0 to find out.
    pub fn new(encoding: u32) -> Parser {
        let raw = NonNull::from(Box::leak(Box::new(MaybeUninit::<unsafe_yaml::yaml_parser_t>::uninit()))).cast();
        let source = NonNull::from(Box::leak(Box::new(ptr::null_mut::<c_void>())));
        // SAFETY: `raw` is memory of the right size and alignment for the first call, a parser for the others; the
        // handler is the one for what `source` points to, which is freed after the parser.
        unsafe {
            let initialized = unsafe_yaml::yaml_parser_initialize(raw.as_ptr());
            assert!(initialized.ok, "it allocates, which does not fail");
            unsafe_yaml::yaml_parser_set_encoding(raw.as_ptr(), encoding_of(encoding));
            unsafe_yaml::yaml_parser_set_input(raw.as_ptr(), read, source.as_ptr().cast());
        }
        Parser { raw, source }
    }

    /// The next event, and where it begins and ends. `source` is called if text is needed.
    ///
    /// # Errors
    /// `Problem`: what is wrong with the text, or that `source` has failed. There is no next event then.
    pub fn next(&mut self, mut source: Source<'_>) -> Result<(Event, Mark, Mark), Problem> {
        let mut event = MaybeUninit::<unsafe_yaml::yaml_event_t>::uninit();
        // SAFETY: `self.source` is valid, and points to `source` while the read handler may be called. The event is
        // initialised by a call that succeeds, and freed once.
        unsafe {
            *self.source.as_ptr() = (&raw mut source).cast();
            let parsed = unsafe_yaml::yaml_parser_parse(self.raw.as_ptr(), event.as_mut_ptr());
            *self.source.as_ptr() = ptr::null_mut();
            if parsed.fail {
                return Err(self.problem());
            }
            let found = event.assume_init_mut();
            let read = (event_of(found), found.start_mark.into(), found.end_mark.into());
            unsafe_yaml::yaml_event_delete(event.as_mut_ptr());
            Ok(read)
        }
    }

    /// How far the text was looked at.
    pub fn mark(&self) -> Mark {
        // SAFETY: `raw` is a parser, which begins with the fields of `Layout`.
        unsafe { (*self.raw.as_ptr().cast::<Layout>()).mark.into() }
    }

    fn problem(&self) -> Problem {
        // SAFETY: `raw` is a parser; its messages are static strings or null.
        unsafe {
            let parser = self.raw.as_ref();
            Problem {
                problem: text(parser.problem.cast()),
                offset: parser.problem_offset,
                context: text(parser.context.cast()),
                mark: parser.context_mark.into(),
            }
        }
    }
}

impl Drop for Parser {
    fn drop(&mut self) {
        // SAFETY: both were leaked by `new` and are used by nobody else.
        unsafe {
            unsafe_yaml::yaml_parser_delete(self.raw.as_ptr());
            drop(Box::from_raw(self.raw.as_ptr().cast::<MaybeUninit<unsafe_yaml::yaml_parser_t>>()));
            drop(Box::from_raw(self.source.as_ptr()));
        }
    }
}

/// The read handler: 1, or 0 for a failure.
///
/// # Safety
/// `data` is a parser's `source` during `next`; `buffer` has room for `size` bytes.
unsafe fn read(data: *mut c_void, buffer: *mut u8, size: u64, size_read: *mut u64) -> i32 {
    // SAFETY: as the caller promises. The room is initialised before a slice of it is made.
    let (source, room) = unsafe {
        ptr::write_bytes(buffer, 0, size as usize);
        (&mut **data.cast::<*mut Source<'_>>(), std::slice::from_raw_parts_mut(buffer, size as usize))
    };
    match source(room) {
        Some(n) if n <= room.len() => {
            // SAFETY: as the caller promises.
            unsafe { *size_read = n as u64 };
            1
        }
        _ => 0,
    }
}

/// A copy of a C string; `None` for null.
///
/// # Safety
/// It is null or ends with a NUL.
unsafe fn text(s: *const u8) -> Option<Text> {
    // SAFETY: as the caller promises.
    (!s.is_null()).then(|| unsafe { CStr::from_ptr(s.cast()) }.to_bytes().to_vec())
}

/// What an event says.
///
/// # Safety
/// It is an event as the parser makes it.
unsafe fn event_of(event: &unsafe_yaml::yaml_event_t) -> Event {
    // SAFETY: the type says which part of the union is there; its strings end with a NUL or are null, a scalar's value
    // has `length` bytes.
    unsafe {
        match event.type_ {
            unsafe_yaml::YAML_STREAM_START_EVENT => Event::StreamStart(event.data.stream_start.encoding as u32),
            unsafe_yaml::YAML_STREAM_END_EVENT => Event::StreamEnd,
            unsafe_yaml::YAML_DOCUMENT_START_EVENT => {
                let data = &event.data.document_start;
                let version = data.version_directive.as_ref().map(|v| (v.major, v.minor));
                let mut tags = Vec::new();
                let mut at = data.tag_directives.start;
                while at != data.tag_directives.end {
                    let (handle, prefix) = (text((*at).handle), text((*at).prefix));
                    tags.push((handle.unwrap_or_default(), prefix.unwrap_or_default()));
                    at = at.add(1);
                }
                Event::DocumentStart { version, tags, implicit: data.implicit }
            }
            unsafe_yaml::YAML_DOCUMENT_END_EVENT => Event::DocumentEnd(event.data.document_end.implicit),
            unsafe_yaml::YAML_ALIAS_EVENT => Event::Alias(text(event.data.alias.anchor).unwrap_or_default()),
            unsafe_yaml::YAML_SCALAR_EVENT => {
                let data = &event.data.scalar;
                Event::Scalar {
                    anchor: text(data.anchor),
                    tag: text(data.tag),
                    value: std::slice::from_raw_parts(data.value, data.length as usize).to_vec(),
                    plain: data.plain_implicit,
                    quoted: data.quoted_implicit,
                    style: data.style as u32,
                }
            }
            unsafe_yaml::YAML_SEQUENCE_START_EVENT => {
                let data = &event.data.sequence_start;
                let (anchor, tag) = (text(data.anchor), text(data.tag));
                Event::SequenceStart(Collection { anchor, tag, implicit: data.implicit, style: data.style as u32 })
            }
            unsafe_yaml::YAML_SEQUENCE_END_EVENT => Event::SequenceEnd,
            unsafe_yaml::YAML_MAPPING_START_EVENT => {
                let data = &event.data.mapping_start;
                let (anchor, tag) = (text(data.anchor), text(data.tag));
                Event::MappingStart(Collection { anchor, tag, implicit: data.implicit, style: data.style as u32 })
            }
            unsafe_yaml::YAML_MAPPING_END_EVENT => Event::MappingEnd,
            _ => Event::Nothing,
        }
    }
}

fn encoding_of(number: u32) -> unsafe_yaml::yaml_encoding_t {
    match number {
        1 => unsafe_yaml::YAML_UTF8_ENCODING,
        2 => unsafe_yaml::YAML_UTF16LE_ENCODING,
        3 => unsafe_yaml::YAML_UTF16BE_ENCODING,
        _ => unsafe_yaml::YAML_ANY_ENCODING,
    }
}

fn scalar_style(number: u32) -> unsafe_yaml::yaml_scalar_style_t {
    match number {
        1 => unsafe_yaml::YAML_PLAIN_SCALAR_STYLE,
        2 => unsafe_yaml::YAML_SINGLE_QUOTED_SCALAR_STYLE,
        3 => unsafe_yaml::YAML_DOUBLE_QUOTED_SCALAR_STYLE,
        4 => unsafe_yaml::YAML_LITERAL_SCALAR_STYLE,
        5 => unsafe_yaml::YAML_FOLDED_SCALAR_STYLE,
        _ => unsafe_yaml::YAML_ANY_SCALAR_STYLE,
    }
}

/// Where an emitter writes to.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
    /// They are not UTF-8.
    utf16: bool,
}

/// An emitter of one stream.
pub struct Emitter {
    /// Initialised, and this emitter's own.
    raw: NonNull<unsafe_yaml::yaml_emitter_t>,
    /// What the write handler is given: where the text goes; this emitter's own.
    out: NonNull<Output>,
    /// Why it failed. It is not used any more then: libyaml's stacks do not match any longer.
    failed: Option<Text>,
    canonical: bool,
    indent: i32,
    width: i32,
}

// SAFETY: both pointers are to memory that belongs to the emitter alone and is bound to no thread.
unsafe impl Send for Emitter {}

impl Default for Emitter {
    fn default() -> Emitter {
        let raw = NonNull::from(Box::leak(Box::new(MaybeUninit::<unsafe_yaml::yaml_emitter_t>::uninit()))).cast();
        let out = NonNull::from(Box::leak(Box::new(Output::default())));
        // SAFETY: `raw` is memory of the right size and alignment for the first call, an emitter for the others; the
        // handler is the one for an `Output`, which is freed after the emitter.
        unsafe {
            let initialized = unsafe_yaml::yaml_emitter_initialize(raw.as_ptr());
            assert!(initialized.ok, "it allocates, which does not fail");
            unsafe_yaml::yaml_emitter_set_output(raw.as_ptr(), write, out.as_ptr().cast());
            unsafe_yaml::yaml_emitter_set_unicode(raw.as_ptr(), true);
        }
        let mut emitter = Emitter { raw, out, failed: None, canonical: false, indent: 0, width: 0 };
        emitter.set_indent(2);
        emitter
    }
}

impl Emitter {
    /// Bytes of memory that every emitter has.
    pub const BUFFERS: usize = 3 * 16 * 1024;

    /// Is everything written out?
    pub fn canonical(&self) -> bool {
        self.canonical
    }

    /// Write everything out?
    pub fn set_canonical(&mut self, on: bool) {
        self.canonical = on;
        // SAFETY: `raw` is an emitter.
        unsafe { unsafe_yaml::yaml_emitter_set_canonical(self.raw.as_ptr(), on) };
    }

    /// The indentation, in columns.
    pub fn indent(&self) -> i32 {
        self.indent
    }

    /// Sets the indentation; 2 if `n` is not between 2 and 9.
    pub fn set_indent(&mut self, n: i32) {
        self.indent = if (2..10).contains(&n) { n } else { 2 };
        // SAFETY: `raw` is an emitter.
        unsafe { unsafe_yaml::yaml_emitter_set_indent(self.raw.as_ptr(), n) };
    }

    /// The preferred length of a line.
    pub fn width(&self) -> i32 {
        self.width
    }

    /// Sets the preferred length of a line; negative: any.
    pub fn set_width(&mut self, n: i32) {
        self.width = n.max(-1);
        // SAFETY: `raw` is an emitter.
        unsafe { unsafe_yaml::yaml_emitter_set_width(self.raw.as_ptr(), n) };
    }

    /// What was written since the last call.
    pub fn take_output(&mut self) -> Vec<u8> {
        // SAFETY: `out` is valid, and only used by calls that have `self`.
        unsafe { std::mem::take(&mut self.out.as_mut().bytes) }
    }

    /// Emits an event.
    ///
    /// # Errors
    /// The message, in libyaml's words: it does not fit what came before, or a text of it is not UTF-8. Also whenever
    /// an earlier event did not fit.
    pub fn emit(&mut self, event: &Event) -> Result<(), Text> {
        if let Some(problem) = &self.failed {
            return Err(problem.clone());
        }
        let mut made = MaybeUninit::<unsafe_yaml::yaml_event_t>::uninit();
        let beyond = Beyond::of(event);
        // SAFETY: there is room for an event, which is there if `make` says so. `emit` takes it over.
        unsafe {
            unsafe_yaml::yaml_emitter_set_unicode(self.raw.as_ptr(), beyond != Beyond::Only);
            if let Event::StreamStart(encoding) = event {
                self.out.as_mut().utf16 = matches!(encoding, 2 | 3);
            }
            if !make(event, beyond, made.as_mut_ptr()) {
                return Err(format!("failed to initialize {} event", name(event)).into_bytes());
            }
            if unsafe_yaml::yaml_emitter_emit(self.raw.as_ptr(), made.as_mut_ptr()).fail {
                let problem = text(self.raw.as_ref().problem.cast()).unwrap_or_default();
                self.failed = Some(problem.clone());
                return Err(problem);
            }
        }
        if matches!(event, Event::StreamStart(_)) {
            // As libyaml settles them when the stream starts.
            self.width = match self.width {
                n if n < 0 => i32::MAX,
                n if n <= self.indent * 2 => 80,
                n => n,
            };
        }
        Ok(())
    }
}

impl Drop for Emitter {
    fn drop(&mut self) {
        // SAFETY: both were leaked by `default` and are used by nobody else.
        unsafe {
            unsafe_yaml::yaml_emitter_delete(self.raw.as_ptr());
            drop(Box::from_raw(self.raw.as_ptr().cast::<MaybeUninit<unsafe_yaml::yaml_emitter_t>>()));
            drop(Box::from_raw(self.out.as_ptr()));
        }
    }
}

/// Does a scalar have characters beyond U+FFFF? The released libyaml escapes them, the version that `unsafe-libyaml` is
/// made from no longer does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// It has none.
    Not,
    /// All that are not ASCII are: libyaml escapes them if it is to write ASCII.
    Only,
    /// There are others that are not to be escaped. The write handler does it; where long lines are folded is
    /// decided without regard to the escapes' length.
    Also,
}

impl Beyond {
    fn of(event: &Event) -> Beyond {
        let Event::Scalar { value, .. } = event else {
            return Beyond::Not;
        };
        if !value.iter().any(|&b| b >= 0xf0) {
            return Beyond::Not;
        }
        match std::str::from_utf8(value) {
            Ok(value) if value.chars().all(|c| c.is_ascii() || c > '\u{ffff}') => Beyond::Only,
            Ok(_) => Beyond::Also,
            Err(_) => Beyond::Not,
        }
    }
}

/// The write handler. libyaml writes whole characters, and those beyond U+FFFF only between double quotes.
///
/// # Safety
/// `data` is an emitter's `out` during one of its calls; `buffer` has `size` bytes.
unsafe fn write(data: *mut c_void, buffer: *mut u8, size: u64) -> i32 {
    // SAFETY: as the caller promises.
    let (out, part) = unsafe { (&mut *data.cast::<Output>(), std::slice::from_raw_parts(buffer, size as usize)) };
    let escape = !out.utf16 && part.iter().any(|&b| b >= 0xf0);
    let out = &mut out.bytes;
    match std::str::from_utf8(part) {
        Ok(text) if escape => {
            for c in text.chars() {
                match c {
                    '\u{10000}'.. => out.extend_from_slice(format!("\\U{:08X}", u32::from(c)).as_bytes()),
                    _ => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
        }
        _ => out.extend_from_slice(part),
    }
    1
}

/// What messages call it.
fn name(event: &Event) -> &'static str {
    match event {
        Event::StreamStart(_) => "stream start",
        Event::StreamEnd => "stream end",
        Event::DocumentStart { .. } => "document start",
        Event::DocumentEnd(_) => "document end",
        Event::Alias(_) => "alias",
        Event::Scalar { .. } => "scalar",
        Event::SequenceStart(_) => "sequence start",
        Event::SequenceEnd => "sequence end",
        Event::MappingStart(_) => "mapping start",
        Event::MappingEnd => "mapping end",
        Event::Nothing => "empty",
    }
}

/// A text as a C string: libyaml takes what is in front of a NUL.
fn terminated(text: &Text) -> Vec<u8> {
    let mut copy = text.clone();
    copy.push(0);
    copy
}

/// Null for `None`.
fn pointer(text: Option<&Vec<u8>>) -> *const u8 {
    text.map_or(ptr::null(), |t| t.as_ptr())
}

/// Makes libyaml's event of one (`beyond` is of it), which copies the texts. False if one is not UTF-8, or as long
/// as none can be.
///
/// # Safety
/// `out` has room for an event.
unsafe fn make(event: &Event, beyond: Beyond, out: *mut unsafe_yaml::yaml_event_t) -> bool {
    // SAFETY: `out` as the caller promises; texts end with a NUL and live as long as the calls, a scalar's value has
    // the length that is given.
    let made = unsafe {
        match event {
            Event::StreamStart(encoding) => {
                unsafe_yaml::yaml_stream_start_event_initialize(out, encoding_of(*encoding))
            }
            Event::StreamEnd => unsafe_yaml::yaml_stream_end_event_initialize(out),
            Event::DocumentStart { version, tags, implicit } => {
                let mut number = MaybeUninit::<unsafe_yaml::yaml_version_directive_t>::zeroed();
                let mut version_directive = ptr::null_mut();
                if let Some((major, minor)) = *version {
                    version_directive = number.as_mut_ptr();
                    (*version_directive).major = major;
                    (*version_directive).minor = minor;
                }
                let mut texts: Vec<_> = tags.iter().map(|(h, p)| (terminated(h), terminated(p))).collect();
                let mut directives: Vec<unsafe_yaml::yaml_tag_directive_t> = Vec::with_capacity(texts.len());
                for (handle, prefix) in &mut texts {
                    let mut directive = MaybeUninit::<unsafe_yaml::yaml_tag_directive_t>::zeroed().assume_init();
                    directive.handle = handle.as_mut_ptr();
                    directive.prefix = prefix.as_mut_ptr();
                    directives.push(directive);
                }
                let range = directives.as_mut_ptr_range();
                unsafe_yaml::yaml_document_start_event_initialize(
                    out,
                    version_directive,
                    range.start,
                    range.end,
                    *implicit,
                )
            }
            Event::DocumentEnd(implicit) => unsafe_yaml::yaml_document_end_event_initialize(out, *implicit),
            Event::Alias(anchor) => unsafe_yaml::yaml_alias_event_initialize(out, terminated(anchor).as_ptr()),
            Event::Scalar { anchor, tag, value, plain, quoted, style } => {
                let (anchor, tag) = (anchor.as_ref().map(terminated), tag.as_ref().map(terminated));
                let Some(length) = i32::try_from(value.len()).ok().filter(|&n| n < i32::MAX) else {
                    return false;
                };
                unsafe_yaml::yaml_scalar_event_initialize(
                    out,
                    pointer(anchor.as_ref()),
                    pointer(tag.as_ref()),
                    value.as_ptr(),
                    length,
                    *plain,
                    *quoted,
                    if beyond == Beyond::Not {
                        scalar_style(*style)
                    } else {
                        unsafe_yaml::YAML_DOUBLE_QUOTED_SCALAR_STYLE
                    },
                )
            }
            Event::SequenceStart(c) => {
                let (anchor, tag) = (c.anchor.as_ref().map(terminated), c.tag.as_ref().map(terminated));
                let style = match c.style {
                    1 => unsafe_yaml::YAML_BLOCK_SEQUENCE_STYLE,
                    2 => unsafe_yaml::YAML_FLOW_SEQUENCE_STYLE,
                    _ => unsafe_yaml::YAML_ANY_SEQUENCE_STYLE,
                };
                let (anchor, tag) = (pointer(anchor.as_ref()), pointer(tag.as_ref()));
                unsafe_yaml::yaml_sequence_start_event_initialize(out, anchor, tag, c.implicit, style)
            }
            Event::SequenceEnd => unsafe_yaml::yaml_sequence_end_event_initialize(out),
            Event::MappingStart(c) => {
                let (anchor, tag) = (c.anchor.as_ref().map(terminated), c.tag.as_ref().map(terminated));
                let style = match c.style {
                    1 => unsafe_yaml::YAML_BLOCK_MAPPING_STYLE,
                    2 => unsafe_yaml::YAML_FLOW_MAPPING_STYLE,
                    _ => unsafe_yaml::YAML_ANY_MAPPING_STYLE,
                };
                let (anchor, tag) = (pointer(anchor.as_ref()), pointer(tag.as_ref()));
                unsafe_yaml::yaml_mapping_start_event_initialize(out, anchor, tag, c.implicit, style)
            }
            Event::MappingEnd => unsafe_yaml::yaml_mapping_end_event_initialize(out),
            Event::Nothing => return false,
        }
    };
    made.ok
}
