//! The one door to Oniguruma: compiled patterns, searches, group names. Everything unsafe about regexps is here.
//!
//! A compiled pattern is never changed after `onig_new`: `onig_search` keeps what a search needs in its own stack
//! memory and in the region it is given, so all threads search with one [`Engine`] at once.
//!
//! A search stops after a given number of steps ([`Outcome::OutOfSteps`]): that is how the caller gets to look at
//! interrupts and time limits. The library's backtrack stack is malloc'ed, so no pattern can exhaust the machine
//! stack while matching; while compiling, the recursion follows the nesting of the pattern, and deep ones are
//! compiled on a thread with a stack of the right size.

use std::ffi::{c_int, c_uint, c_void};
use std::ptr::{self, NonNull, addr_of_mut};
use std::sync::OnceLock;

use asterism_support::encoding::{Encoding, Kind};
use onig_sys as onig;

/// Steps of a first, unsupervised search: about a millisecond.
pub const FIRST_STEPS: u64 = 100_000;

/// Most entries of the backtrack stack (about 40 bytes each).
const STACK_ENTRIES: c_uint = 50_000_000;

/// Groups a region holds without allocating: as many as the library makes room for at least.
const INLINE: usize = onig::ONIG_NREGION as usize;

/// Nesting up to which a pattern is compiled on the caller's stack.
const SHALLOW: usize = 40;

/// Machine stack for each level of nesting, generously.
const STACK_PER_LEVEL: usize = 4096;

/// Deepest nesting compiled at all.
const MAX_DEPTH: usize = 20_000;

/// Options of a pattern, as Oniguruma has them.
pub mod flags {
    /// Letters match whatever their case.
    pub const IGNORECASE: u32 = onig_sys::ONIG_OPTION_IGNORECASE;
    /// White space and comments in the pattern are skipped.
    pub const EXTENDED: u32 = onig_sys::ONIG_OPTION_EXTEND;
    /// `.` matches newlines.
    pub const MULTILINE: u32 = onig_sys::ONIG_OPTION_MULTILINE;
}

/// A compiled pattern for one encoding.
pub struct Engine {
    raw: NonNull<onig::OnigRegexType>,
    groups: usize,
}

// SAFETY: the pattern is only read after it was compiled; freeing needs no particular thread.
unsafe impl Send for Engine {}
// SAFETY: as above: searches write to nothing but their own memory.
unsafe impl Sync for Engine {}

/// Why a pattern was not compiled.
#[derive(Clone, Debug)]
pub enum CompileError {
    /// It is wrong; the message without the pattern.
    Syntax(String),
    /// No memory.
    Memory,
    /// The engine does not know the encoding.
    Encoding,
}

/// What a search came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// It matched; the region says where.
    Match,
    /// It did not match.
    NoMatch,
    /// It took too many steps; nothing is known.
    OutOfSteps,
    /// The backtrack stack grew too big.
    StackOverflow,
    /// No memory.
    Memory,
    /// Another error of the library.
    Error(c_int),
}

/// Where to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Search {
    /// A match that starts at or behind the offset: the first one.
    Forward,
    /// A match that starts at or before the offset: the last one.
    Backward,
    /// A match that starts at the offset.
    At,
}

/// Where the groups of a match lie: filled by a search.
pub struct Region {
    count: usize,
    inline: [[c_int; INLINE]; 2],
    heap: Vec<c_int>,
}

impl Region {
    /// One with room for the whole match and `groups` groups.
    pub fn new(groups: usize) -> Region {
        let count = groups + 1;
        let heap = if count > INLINE { vec![-1; count * 2] } else { Vec::new() };
        Region { count, inline: [[-1; INLINE]; 2], heap }
    }

    /// A match without groups.
    pub fn of_whole(begin: usize, end: usize) -> Region {
        let mut region = Region::new(0);
        region.inline[0][0] = c_int::try_from(begin).unwrap_or(-1);
        region.inline[1][0] = c_int::try_from(end).unwrap_or(-1);
        region
    }

    /// One that holds these offsets; `u32::MAX`: the group took no part.
    pub fn of_spans(spans: &[(u32, u32)]) -> Region {
        let mut region = Region::new(spans.len().saturating_sub(1));
        let number = |n: u32| c_int::try_from(n).unwrap_or(-1);
        for (i, (begin, end)) in spans.iter().enumerate() {
            if region.heap.is_empty() {
                region.inline[0][i] = number(*begin);
                region.inline[1][i] = number(*end);
            } else {
                region.heap[i] = number(*begin);
                region.heap[spans.len() + i] = number(*end);
            }
        }
        region
    }

    /// Groups, counting the whole match.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Offsets of group `i`, if it took part.
    #[inline]
    pub fn get(&self, i: usize) -> Option<(usize, usize)> {
        if i >= self.count {
            return None;
        }
        let (begin, end) = if self.heap.is_empty() {
            (self.inline[0][i], self.inline[1][i])
        } else {
            (self.heap[i], self.heap[self.count + i])
        };
        Some((usize::try_from(begin).ok()?, usize::try_from(end).ok()?))
    }

    /// Offsets of the whole match; only after a match.
    #[inline]
    pub fn whole(&self) -> (usize, usize) {
        self.get(0).unwrap_or((0, 0))
    }

    fn arrays(&mut self) -> (*mut c_int, *mut c_int) {
        if self.heap.is_empty() {
            let [begin, end] = &mut self.inline;
            (begin.as_mut_ptr(), end.as_mut_ptr())
        } else {
            let (begin, end) = self.heap.split_at_mut(self.count);
            (begin.as_mut_ptr(), end.as_mut_ptr())
        }
    }
}

/// The library's encoding for one of ours; `None` if it has no fitting one.
fn table(encoding: Encoding) -> Option<onig::OnigEncoding> {
    macro_rules! of {
        ($name:ident) => {
            // Only the address is taken.
            Some(addr_of_mut!(onig::$name))
        };
    }
    match encoding.kind() {
        Kind::Binary | Kind::UsAscii => of!(OnigEncodingASCII),
        Kind::Utf8 | Kind::Cesu8 => of!(OnigEncodingUTF8),
        Kind::Utf16Be => of!(OnigEncodingUTF16_BE),
        Kind::Utf16Le => of!(OnigEncodingUTF16_LE),
        Kind::Utf32Be => of!(OnigEncodingUTF32_BE),
        Kind::Utf32Le => of!(OnigEncodingUTF32_LE),
        Kind::EucJp => of!(OnigEncodingEUC_JP),
        Kind::Sjis => of!(OnigEncodingSJIS),
        Kind::EucKr => of!(OnigEncodingEUC_KR),
        Kind::EucTw => of!(OnigEncodingEUC_TW),
        Kind::Big5 => of!(OnigEncodingBIG5),
        // Their two-byte characters have the structure of GB18030's.
        Kind::Gbk | Kind::Gb18030 | Kind::Cp949 | Kind::Big5Wide => of!(OnigEncodingGB18030),
        Kind::EmacsMule => None,
        Kind::Single => match encoding.name() {
            "ISO-8859-1" => of!(OnigEncodingISO_8859_1),
            "ISO-8859-2" => of!(OnigEncodingISO_8859_2),
            "ISO-8859-3" => of!(OnigEncodingISO_8859_3),
            "ISO-8859-4" => of!(OnigEncodingISO_8859_4),
            "ISO-8859-5" => of!(OnigEncodingISO_8859_5),
            "ISO-8859-6" => of!(OnigEncodingISO_8859_6),
            "ISO-8859-7" => of!(OnigEncodingISO_8859_7),
            "ISO-8859-8" => of!(OnigEncodingISO_8859_8),
            "ISO-8859-9" => of!(OnigEncodingISO_8859_9),
            "ISO-8859-10" => of!(OnigEncodingISO_8859_10),
            "ISO-8859-11" => of!(OnigEncodingISO_8859_11),
            "ISO-8859-13" => of!(OnigEncodingISO_8859_13),
            "ISO-8859-14" => of!(OnigEncodingISO_8859_14),
            "ISO-8859-15" => of!(OnigEncodingISO_8859_15),
            "ISO-8859-16" => of!(OnigEncodingISO_8859_16),
            "KOI8-R" => of!(OnigEncodingKOI8_R),
            "Windows-1251" => of!(OnigEncodingCP1251),
            // One byte a character; letters beyond ASCII have no case here.
            _ => of!(OnigEncodingASCII),
        },
    }
}

/// The syntax: Oniguruma's Ruby with the options that tell ASCII from Unicode classes. Written once.
struct Syntax(onig::OnigSyntaxType);

// SAFETY: never written after it was made; the library only reads it.
unsafe impl Send for Syntax {}
// SAFETY: as above.
unsafe impl Sync for Syntax {}

/// Sets the library up, once a process; the syntax to compile with.
fn library() -> Result<&'static Syntax, CompileError> {
    static READY: OnceLock<Option<Syntax>> = OnceLock::new();
    let ready = READY.get_or_init(|| {
        let mut all: Vec<onig::OnigEncoding> = Vec::new();
        for encoding in Encoding::all() {
            if let Some(e) = table(encoding)
                && !all.contains(&e)
            {
                all.push(e);
            }
        }
        // SAFETY: this runs once, before any other call of the library, with an array of its own encodings; the
        // limits are plain numbers it keeps; its Ruby syntax is a constant that is copied.
        unsafe {
            if onig::onig_initialize(all.as_mut_ptr(), all.len() as c_int) != 0 {
                return None;
            }
            onig::onig_set_match_stack_limit_size(STACK_ENTRIES);
            onig::onig_set_retry_limit_in_match(0);
            onig::onig_set_retry_limit_in_search(FIRST_STEPS);
            onig::onig_set_subexp_call_max_nest_level(1_000_000);
            onig::onig_set_parse_depth_limit(MAX_DEPTH as c_uint);
            let mut syntax = *addr_of_mut!(onig::OnigSyntaxRuby);
            syntax.op2 |= onig::ONIG_SYN_OP2_OPTION_ONIGURUMA;
            // Ruby's look-behind has one length, or alternatives of one length each at its top.
            syntax.behavior &= !onig::ONIG_SYN_VARIABLE_LEN_LOOK_BEHIND;
            Some(Syntax(syntax))
        }
    });
    ready.as_ref().ok_or(CompileError::Memory)
}

impl Engine {
    /// Compiles a pattern, already in Oniguruma's dialect, for subjects in `encoding`. `depth`: how deep it is nested.
    ///
    /// # Errors
    /// If the pattern is wrong, or memory is short.
    pub fn compile(pattern: &[u8], options: u32, encoding: Encoding, depth: usize) -> Result<Engine, CompileError> {
        if depth <= SHALLOW {
            return Engine::compile_here(pattern, options, encoding);
        }
        if depth > MAX_DEPTH {
            return Err(CompileError::Syntax("too deep nest level over".into()));
        }
        let stack = (1 << 20) + depth * STACK_PER_LEVEL;
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name("regexp".into()).stack_size(stack);
            match builder.spawn_scoped(scope, || Engine::compile_here(pattern, options, encoding)) {
                Ok(thread) => thread.join().unwrap_or(Err(CompileError::Memory)),
                Err(_) => Err(CompileError::Memory),
            }
        })
    }

    fn compile_here(pattern: &[u8], options: u32, encoding: Encoding) -> Result<Engine, CompileError> {
        let syntax = library()?;
        let encoding = table(encoding).ok_or(CompileError::Encoding)?;
        // `\w`, `\d` and `\s` are ASCII in Ruby, unlike the POSIX classes; the translation relies on it.
        let options = options
            | onig::ONIG_OPTION_WORD_IS_ASCII
            | onig::ONIG_OPTION_DIGIT_IS_ASCII
            | onig::ONIG_OPTION_SPACE_IS_ASCII;
        let mut raw: onig::OnigRegex = ptr::null_mut();
        let mut info = onig::OnigErrorInfo { enc: ptr::null_mut(), par: ptr::null_mut(), par_end: ptr::null_mut() };
        let range = pattern.as_ptr_range();
        // SAFETY: the pattern's bytes, the encoding and the syntax outlive the call, which keeps none of them but the
        // encoding, a static, and the syntax, a static too; the library is set up.
        let code = unsafe {
            onig::onig_new(
                &mut raw,
                range.start,
                range.end,
                options,
                encoding,
                ptr::from_ref(&syntax.0).cast_mut(),
                &mut info,
            )
        };
        if code != 0 {
            if code == onig::ONIGERR_MEMORY {
                return Err(CompileError::Memory);
            }
            let mut text = [0u8; onig::ONIG_MAX_ERROR_MESSAGE_LEN as usize + 1];
            // SAFETY: the buffer has the size the library asks for, `info` was filled by `onig_new` and points into
            // the pattern, which still lives.
            let len =
                unsafe { onig::onig_error_code_to_str(text.as_mut_ptr(), code, &mut info as *mut onig::OnigErrorInfo) };
            let len = usize::try_from(len).unwrap_or(0).min(text.len());
            return Err(CompileError::Syntax(String::from_utf8_lossy(&text[..len]).into_owned()));
        }
        let raw = NonNull::new(raw).ok_or(CompileError::Memory)?;
        // SAFETY: just compiled.
        let groups = usize::try_from(unsafe { onig::onig_number_of_captures(raw.as_ptr()) }).unwrap_or(0);
        Ok(Engine { raw, groups })
    }

    /// How many groups capture.
    pub fn groups(&self) -> usize {
        self.groups
    }

    /// The names of groups with the numbers of the groups that have them, in the order of those.
    pub fn names(&self) -> Vec<(Vec<u8>, Vec<usize>)> {
        let mut names: Vec<(Vec<u8>, Vec<usize>)> = Vec::new();
        // SAFETY: `collect_name` is called during this call only, with the pointer given here.
        unsafe {
            onig::onig_foreach_name(self.raw.as_ptr(), Some(collect_name), addr_of_mut!(names).cast::<c_void>());
        }
        names.sort_by_key(|(_, groups)| groups.first().copied());
        names
    }

    /// Searches `subject`. After [`Outcome::Match`] the region says where the groups are. `steps`: give up after so
    /// many; `None` means [`FIRST_STEPS`].
    ///
    /// The subject's characters must be valid in the pattern's encoding.
    pub fn search(&self, subject: &[u8], at: usize, how: Search, steps: Option<u64>, region: &mut Region) -> Outcome {
        if region.count() != self.groups + 1 || at > subject.len() || i32::try_from(subject.len()).is_err() {
            return Outcome::Error(onig::ONIGERR_INVALID_ARGUMENT);
        }
        let (beg, end_array) = region.arrays();
        let count = (self.groups + 1) as c_int;
        // The library writes to these arrays and, as they are big enough (for `count`, and for the least number it
        // makes room for), does not reallocate them.
        let mut raw_region = onig::OnigRegion {
            allocated: count.max(INLINE as c_int),
            num_regs: count,
            beg,
            end: end_array,
            history_root: ptr::null_mut(),
        };
        let begin = subject.as_ptr();
        // SAFETY: `at` is at most the length, so both pointers are into the subject or at its end.
        let (end, start) = unsafe { (begin.add(subject.len()), begin.add(at)) };
        let code = match (how, steps) {
            // SAFETY: the pattern is compiled, the pointers are as they must be, the region has room for all groups.
            (Search::At, None) => unsafe { onig::onig_match(self.raw.as_ptr(), begin, end, start, &mut raw_region, 0) },
            (_, None) => {
                // SAFETY: as above.
                unsafe {
                    let range = match how {
                        Search::Forward => end,
                        _ => begin,
                    };
                    onig::onig_search(self.raw.as_ptr(), begin, end, start, range, &mut raw_region, 0)
                }
            }
            (_, Some(steps)) => {
                let Some(limits) = Limits::new(steps) else { return Outcome::Memory };
                // SAFETY: as above; the limits live during the call and are this thread's own.
                unsafe {
                    match how {
                        Search::At => onig::onig_match_with_param(
                            self.raw.as_ptr(),
                            begin,
                            end,
                            start,
                            &mut raw_region,
                            0,
                            limits.0.as_ptr(),
                        ),
                        _ => {
                            let range = match how {
                                Search::Forward => end,
                                _ => begin,
                            };
                            onig::onig_search_with_param(
                                self.raw.as_ptr(),
                                begin,
                                end,
                                start,
                                range,
                                &mut raw_region,
                                0,
                                limits.0.as_ptr(),
                            )
                        }
                    }
                }
            }
        };
        match code {
            onig::ONIG_MISMATCH => Outcome::NoMatch,
            onig::ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER | onig::ONIGERR_RETRY_LIMIT_IN_MATCH_OVER => Outcome::OutOfSteps,
            onig::ONIGERR_MATCH_STACK_LIMIT_OVER => Outcome::StackOverflow,
            onig::ONIGERR_MEMORY => Outcome::Memory,
            n if n >= 0 => Outcome::Match,
            n => Outcome::Error(n),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // SAFETY: made by `onig_new`, freed once.
        unsafe { onig::onig_free(self.raw.as_ptr()) };
    }
}

/// The limits of one search.
struct Limits(NonNull<onig::OnigMatchParam>);

impl Limits {
    fn new(steps: u64) -> Option<Limits> {
        // SAFETY: a plain allocation and plain settings of it.
        unsafe {
            let raw = NonNull::new(onig::onig_new_match_param())?;
            onig::onig_initialize_match_param(raw.as_ptr());
            onig::onig_set_retry_limit_in_match_of_match_param(raw.as_ptr(), 0);
            onig::onig_set_retry_limit_in_search_of_match_param(raw.as_ptr(), steps);
            Some(Limits(raw))
        }
    }
}

impl Drop for Limits {
    fn drop(&mut self) {
        // SAFETY: made in `new`, freed once.
        unsafe { onig::onig_free_match_param(self.0.as_ptr()) };
    }
}

unsafe extern "C" fn collect_name(
    name: *const u8,
    name_end: *const u8,
    count: c_int,
    groups: *mut c_int,
    _regex: onig::OnigRegex,
    names: *mut c_void,
) -> c_int {
    // SAFETY: the library gives the name's bytes and `count` numbers; `names` is the vector that `names()` passed.
    unsafe {
        let len = usize::try_from(name_end.offset_from(name)).unwrap_or(0);
        let bytes = std::slice::from_raw_parts(name, len).to_vec();
        let groups = std::slice::from_raw_parts(groups, usize::try_from(count).unwrap_or(0));
        let groups = groups.iter().filter_map(|n| usize::try_from(*n).ok()).collect();
        (*names.cast::<Vec<(Vec<u8>, Vec<usize>)>>()).push((bytes, groups));
    }
    0
}
