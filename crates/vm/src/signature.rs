//! What `arity` and `parameters` say of the implementation's own methods: what they say in CRuby, where most are written in C.
//!
//! A method in C tells no more than a number: that of its arguments, or -1 if it may be more than one number. So one of ours says
//! the same, written in Ruby or not, whatever it is able to tell when it is called with too few arguments. What CRuby
//! has in Ruby itself has names: those of whole files are ours, the others stand in a table.

use asterism_compiler::Code;
use asterism_compiler::code::{KeywordRest, RUBY_IN_CRUBY};

use crate::backtrace;
use crate::ec::Ec;
use crate::method::{Body, Method};

/// What is told of a method's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signature {
    /// So many arguments.
    Exactly(usize),
    /// Any number.
    Any,
    /// Parameters with names, as a row of [`WRITTEN_IN_RUBY`] has them.
    Named(&'static str),
}

/// Methods that CRuby has in Ruby, by their parameters: `name`, `optional=`, `*rest`, `key:`, `&block`; `...` is as in Ruby.
/// Those that take nothing need no row, unless ours take what CRuby's refuse.
const WRITTEN_IN_RUBY: &[(&str, &[&str])] = &[
    ("*indexes &block", &["Array#fetch_values"]),
    ("n=", &["Array#first", "Array#last"]),
    ("fmt buffer:", &["Array#pack"]),
    ("n= random:", &["Array#sample"]),
    ("random:", &["Array#shuffle", "Array#shuffle!"]),
    ("name encoding:", &["Dir#initialize"]),
    ("*args base: sort:", &["Dir.[]"]),
    ("pattern _flags= flags: base: sort:", &["Dir.glob"]),
    ("name encoding: &block", &["Dir.open"]),
    ("*args &block", &["Enumerable#to_set"]),
    (
        "full_mark: immediate_mark: immediate_sweep:",
        &["GC#garbage_collect", "GC.start", "ObjectSpace#garbage_collect", "ObjectSpace.garbage_collect"],
    ),
    ("hash=", &["GC.config"]),
    ("hash_or_key=", &["GC.latest_gc_info", "GC.stat"]),
    ("flag", &["GC.measure_total_time=", "GC.stress="]),
    ("ifnone= capacity: &block", &["Hash#initialize"]),
    ("len buf= exception:", &["IO#read_nonblock"]),
    ("sep= limit= chomp:", &["IO#readline"]),
    ("buf exception:", &["IO#write_nonblock"]),
    ("other", &["Integer#ceildiv"]),
    ("arg exception:", &["Kernel#Float", "Kernel.Float"]),
    ("arg base= exception:", &["Kernel#Integer", "Kernel.Integer"]),
    ("freeze:", &["Kernel#clone"]),
    ("*objs", &["Kernel#pp"]),
    ("*msgs uplevel: category:", &["Kernel#warn", "Kernel.warn"]),
    ("source proc= freeze:", &["Marshal.load", "Marshal.restore"]),
    ("eps=", &["NilClass#rationalize"]),
    ("...", &["Ractor#<<", "Ractor#send"]),
    ("sym", &["Ractor#[]", "Ractor.[]", "Ractor.store_if_absent"]),
    ("sym val", &["Ractor#[]=", "Ractor.[]="]),
    ("port", &["Ractor#monitor", "Ractor#unmonitor"]),
    ("feature", &["Ractor._require"]),
    ("obj copy:", &["Ractor.make_shareable"]),
    ("*args name: &block", &["Ractor.new"]),
    ("*ports", &["Ractor.select"]),
    ("obj", &["Ractor.shareable?"]),
    ("self:", &["Ractor.shareable_lambda", "Ractor.shareable_proc"]),
    ("obj move:", &["Ractor::Port#<<", "Ractor::Port#send"]),
    ("fmt offset:", &["String#unpack", "String#unpack1"]),
    ("mutex timeout=", &["Thread::ConditionVariable#wait"]),
    ("timeout=", &["Thread::Mutex#sleep"]),
    ("non_block= timeout:", &["Thread::Queue#deq", "Thread::Queue#pop", "Thread::Queue#shift"]),
    ("object non_block= timeout:", &["Thread::SizedQueue#<<", "Thread::SizedQueue#enq", "Thread::SizedQueue#push"]),
    ("year= mon= mday= hour= min= sec= zone= in: precision:", &["Time#initialize"]),
    ("time subsec= unit= in:", &["Time.at"]),
    ("in:", &["Time.now"]),
    ("target: target_line: target_thread:", &["TracePoint#enable"]),
    ("*events", &["TracePoint.new", "TracePoint.trace"]),
    ("timeout: &block", &["Addrinfo#connect"]),
    ("*args timeout: &block", &["Addrinfo#connect_from", "Addrinfo#connect_to"]),
    ("*args", &["Addrinfo#family_addrinfo"]),
    ("backlog=", &["Addrinfo#listen"]),
    ("nodename service family= socktype= protocol= flags= timeout: &block", &["Addrinfo.foreach"]),
    ("len flag= str= exception:", &["BasicSocket#recv_nonblock", "Socket#recvfrom_nonblock"]),
    ("dlen= flags= clen= scm_rights:", &["BasicSocket#recvmsg"]),
    ("dlen= flags= clen= scm_rights: exception:", &["BasicSocket#recvmsg_nonblock"]),
    ("mesg flags= dest_sockaddr= *controls", &["BasicSocket#sendmsg"]),
    ("mesg flags= dest_sockaddr= *controls exception:", &["BasicSocket#sendmsg_nonblock"]),
    ("file", &["Coverage.line_stub"]),
    ("exception:", &["Socket#accept_nonblock", "TCPServer#accept_nonblock", "UNIXServer#accept_nonblock"]),
    ("addr exception:", &["Socket#connect_nonblock"]),
    ("base:", &["StringScanner#scan_integer"]),
    ("len flag= outbuf= exception:", &["UDPSocket#recvfrom_nonblock"]),
    (
        "",
        &[
            "BasicObject#initialize",
            "Ractor#join",
            "Ractor#receive",
            "Ractor#recv",
            "Ractor.receive",
            "Ractor.recv",
            "Ractor::Port#receive",
        ],
    ),
    ("*", &["Struct#filter", "Struct#select"]),
];

impl Signature {
    /// That of a method; `None` if its code itself says it.
    ///
    /// The names of classes are looked at only if the table has a method of that name.
    pub fn of(ec: &mut Ec, method: Method) -> Option<Signature> {
        let plain = match method.body() {
            Body::Native(def) if def.min == def.max && def.keywords.is_empty() => {
                Signature::Exactly(usize::try_from(def.min).unwrap_or(0))
            }
            Body::Native(_) => Signature::Any,
            _ => Signature::of_code(&*method.code()?)?,
        };
        Some(named(ec, method).map_or(plain, Signature::Named))
    }

    /// That of code of the implementation; `None` for a program's.
    pub fn of_code(code: &Code) -> Option<Signature> {
        if !code.internal || RUBY_IN_CRUBY.contains(&&*code.file) {
            return None;
        }
        let params = &code.params;
        let more = params.optional > 0
            || params.rest
            || !params.keywords.is_empty()
            || params.keyword_rest == KeywordRest::Collect;
        let exactly = usize::from(params.required) + usize::from(params.post);
        Some(if more { Signature::Any } else { Signature::Exactly(exactly) })
    }

    /// `Method#arity`
    pub fn arity(self) -> i32 {
        match self {
            Signature::Exactly(n) => n as i32,
            Signature::Any => -1,
            Signature::Named(row) => {
                let required = parameters(row).filter(|(kind, _)| *kind == "req").count() as i32;
                let more = parameters(row).any(|(kind, _)| !matches!(kind, "req" | "block"));
                if more { -required - 1 } else { required }
            }
        }
    }
}

/// `Method#arity`
pub fn arity(ec: &mut Ec, method: Method) -> i32 {
    Signature::of(ec, method).map_or_else(|| method.arity(), Signature::arity)
}

/// The kinds and names of the parameters in a row of the table.
pub fn parameters(row: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let row = if row == "..." { "** *** &&" } else { row };
    row.split_whitespace().map(|p| match p.as_bytes() {
        // The names of what is passed on are operators.
        b"***" => ("keyrest", "**"),
        [b'*', ..] => ("rest", &p[1..]),
        [b'&', ..] => ("block", &p[1..]),
        [.., b'='] => ("opt", &p[..p.len() - 1]),
        [.., b':'] => ("key", &p[..p.len() - 1]),
        _ => ("req", p),
    })
}

fn named(ec: &mut Ec, method: Method) -> Option<&'static str> {
    let name = method.original_name().text();
    let all = || WRITTEN_IN_RUBY.iter().flat_map(|(row, methods)| methods.iter().map(move |m| (*row, *m)));
    let is_it = |m: &str| m.strip_suffix(name.as_ref()).is_some_and(|front| front.ends_with(['#', '.']));
    if !all().any(|(_, m)| is_it(m)) {
        return None;
    }
    let qualified = backtrace::qualified_name(ec, method)?;
    all().find(|(_, m)| *m == qualified).map(|(row, _)| row)
}
