//! The names the implementation itself uses, with fixed numbers, so that they are constants.

macro_rules! known {
    ($($id:ident = $text:literal,)*) => {
        /// One constant for each name the implementation knows.
        #[allow(non_upper_case_globals, missing_docs)]
        pub mod sym {
            use crate::Sym;
            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            #[repr(u32)]
            enum Number { $($id,)* }
            $(pub const $id: Sym = Sym(Number::$id as u32);)*
        }
        pub(crate) const NAMES: &[&str] = &[$($text,)*];
    };
}

known! {
    EMPTY = "",
    PLUS = "+", MINUS = "-", MUL = "*", DIV = "/", MOD = "%", POW = "**",
    LT = "<", LE = "<=", GT = ">", GE = ">=", EQ = "==", NE = "!=", CMP = "<=>",
    AND = "&", OR = "|", XOR = "^", SHL = "<<", SHR = ">>", TILDE = "~", NOT = "!",
    UPLUS = "+@", UMINUS = "-@", AREF = "[]", ASET = "[]=", EQQ = "===", MATCH = "=~", NMATCH = "!~",
    BACKTICK = "`",
    initialize = "initialize", initialize_copy = "initialize_copy", initialize_clone = "initialize_clone",
    initialize_dup = "initialize_dup", method_missing = "method_missing",
    respond_to_p = "respond_to?", respond_to_missing_p = "respond_to_missing?",
    to_s = "to_s", to_str = "to_str", to_i = "to_i", to_int = "to_int", to_f = "to_f", to_a = "to_a",
    to_ary = "to_ary", to_h = "to_h", to_hash = "to_hash", to_proc = "to_proc", to_sym = "to_sym",
    to_r = "to_r", to_c = "to_c", to_path = "to_path", to_io = "to_io", to_enum = "to_enum",
    inspect = "inspect", hash = "hash", eql_p = "eql?", equal_p = "equal?", coerce = "coerce",
    each = "each", call = "call", new = "new", allocate = "allocate", send = "send",
    __send__ = "__send__", public_send = "public_send", __id__ = "__id__", object_id = "object_id",
    class = "class", nil_p = "nil?", is_a_p = "is_a?", kind_of_p = "kind_of?",
    instance_of_p = "instance_of?", size = "size", length = "length", empty_p = "empty?", succ = "succ",
    first = "first", last = "last", min = "min", max = "max", push = "push", pop = "pop",
    inherited = "inherited", included = "included", extended = "extended", prepended = "prepended",
    method_added = "method_added", method_removed = "method_removed", method_undefined = "method_undefined",
    singleton_method_added = "singleton_method_added", singleton_method_removed = "singleton_method_removed",
    singleton_method_undefined = "singleton_method_undefined", const_missing = "const_missing",
    const_added = "const_added", append_features = "append_features", prepend_features = "prepend_features",
    extend_object = "extend_object", exception = "exception", r#move = "move", timeout = "timeout",
    message = "message",
    full_message = "full_message", detailed_message = "detailed_message", backtrace = "backtrace",
    set_backtrace = "set_backtrace", cause = "cause", deconstruct = "deconstruct",
    deconstruct_keys = "deconstruct_keys", begin = "begin", end = "end", exclude_end_p = "exclude_end?",
    write = "write", puts = "puts", print = "print", p = "p", raise = "raise", lambda = "lambda",
    proc = "proc", block_given_p = "block_given?", binding = "binding", eval = "eval",
    instance_eval = "instance_eval", instance_exec = "instance_exec", class_eval = "class_eval",
    module_eval = "module_eval", class_exec = "class_exec", module_exec = "module_exec",
    define_method = "define_method", require = "require", require_relative = "require_relative",
    load = "load", autoload = "autoload", main = "main", Object = "Object", BasicObject = "BasicObject",
    Module = "Module", Class = "Class", Kernel = "Kernel", default = "default", key = "key", name = "name",
    result = "result", receiver = "receiver", reason = "reason", value = "value", tag = "tag",
    status = "status", signo = "signo", errno = "errno", exit_value = "exit_value", path = "path",
    message_ivar = "__message", backtrace_ivar = "__backtrace", cause_ivar = "__cause",
    locations_ivar = "__locations", receiver_ivar = "__receiver", meth_ivar = "__meth", args_ivar = "__args",
    opts_ivar = "__opts", size_ivar = "__size", attached_ivar = "__attached", classpath_ivar = "__classpath",
    step = "step", times = "times", upto = "upto", map = "map", join = "join", freeze = "freeze",
    dup = "dup", clone = "clone", then = "then", tap = "tap", r#loop = "loop", it = "it", wakeup = "wakeup",
    exit = "exit", abort = "abort", warn = "warn", format = "format", sprintf = "sprintf",
    category = "category", uplevel = "uplevel", highlight = "highlight", order = "order",
    half = "half", chomp = "chomp",
    random = "random", rand = "rand", by = "by", to = "to", keyword_init = "keyword_init", deprecated = "deprecated",
    public = "public", private = "private", protected = "protected", module_function = "module_function",
    ruby2_keywords = "ruby2_keywords", each_pair = "each_pair", keys = "keys", marshal_dump = "marshal_dump",
    marshal_load = "marshal_load", _dump = "_dump", _load = "_load", cmp_by_identity = "compare_by_identity",
    members_ivar = "__members", keyword_init_ivar = "__keyword_init",
    transfer = "transfer", input_separator = "$/", in_keyword = "in", precision = "precision",
    utc_to_local = "utc_to_local", local_to_utc = "local_to_utc",
}
