# Calls functions of the C interface with odd values: an exception is fine, a crash is not.
#
#   asterism fuzz/api.rb [ROUNDS|each [SEED]]
#
# It writes an extension that calls every function of the headers whose parameters it can make up, compiles it, and runs rounds of calls in
# random order, each in a process of its own; or calls each function by itself. What a process did last before it died is told.

require "tmpdir"

TREE = File.expand_path("..", __dir__)
RUBY = ENV.fetch("ASTERISM", RbConfig.ruby)

# Functions that end or stop the process or thread by what they are for, wait, or are given what only another function can have made.
LEFT_OUT = /\A(?:
  rb_(?:exit|bug\w*|random_bytes|fatal|jump_tag|iter_break\w*|throw\w*|notimplement|p|set_end_proc|gc_\w*|during_gc|define_finalizer)|
  rb_thread_(?:sleep\w*|wait\w*|fd_\w*|stop|kill|schedule|run|create|call\w*|wakeup\w*)|rb_(?:waitpid|wait_for\w*|detach_process|f_kill|last_status_set|proc_times)|
  rb_mutex_(?:lock|sleep|synchronize)|rb_fiber_\w+|rb_io_(?:wait|maybe_wait\w*|getbyte|gets|ungetc|ungetbyte)|rb_(?:gets|eof_error|sys_fail\w*)|
  rb_(?:update_max_fd|cloexec_\w+|fd_\w+|pipe|reserved_fd_p|close_before_exec|memory_\w+|free_tmp_buffer|alloc_tmp_buffer\w*)|
  rb_(?:require\w*|load\w*|f_require|provide|ext_\w+|vm_\w+|eval_string\w*|set_class_path\w*|undef\w*|remove_\w+|alias\w*|backtrace|make_backtrace)|
  rb_(?:call_super\w*|current_receiver|yield\w*|block_proc|frame_\w+|keyword_given_p|need_block|lastline_\w+|backref_set\w*|error_\w+|scan_args\w*)|
  rb_asterism_(?!str_|ary_|float|int).*|rb_(?:encdb\w+|enc_(?:replicate|set_default\w*|alias|dup\w*)|define_dummy\w*|copy_generic_ivar)|
  rb_(?:data_\w+|typeddata_\w+|check_typeddata|extract_keywords|get_kwargs|nogvl|obj_call_init\w*|postponed_\w+|tracepoint_\w+|debug_\w+|ractor_\w+)|
  rb_(?:cv_\w+|cvar_\w+|const_(?:set|remove)|set_\w+|define_(?:const|global\w*|class|module)|gv_\w+|global_\w+|struct_define\w*)
)\z/x

NAMES = %w[a foo= [] + @a @@a A $a Foo initialize to_s each], ["", "é", "A::B", "12", "0x1f", "a b"]

# How a parameter is made: C expressions, of which one is taken by a number.
MADE = {
  "VALUE" => "value(n)", "ID" => "id(n)", "double" => "real(n)", "const char *" => "text(n)", "rb_encoding *" => "encoding(n)",
  "int" => "(int)number(n)", "unsigned int" => "(unsigned int)number(n)", "long" => "number(n)", "unsigned long" => "(unsigned long)number(n)",
  "size_t" => "(size_t)number(n)", "ssize_t" => "number(n)", "int *" => "&some_int", "long *" => "&some_long", "volatile VALUE *" => "place(n)",
}

prototypes = File.readlines("#{TREE}/include/ruby/internal/functions.h", chomp: true).filter_map do |line|
  line = line.sub(/\ANORETURN\((.*)\);\z/, '\1;')
  next unless (found = line[/\A(.*?)(rb_\w+)\((.*)\);\z/]) && found
  returned, name, parameters = $1.strip, $2, $3
  next if name.match?(LEFT_OUT) || parameters.include?("...") || parameters.include?("(*")
  types = parameters == "void" ? [] : parameters.split(/, */).map { |p| p.sub(/\w+\z/, "").strip.then { _1.empty? ? p : _1 } }
  arguments = types.each_with_index.map do |type, i|
    # A list comes with its length in front.
    next "list(&some_int)" if type == "const VALUE *" && i > 0 && %w[int long].include?(types[i - 1])
    MADE[type]
  end
  next unless arguments.all? && %w[VALUE void int long ID double size_t].include?(returned)
  arguments.each_index { |i| arguments[i - 1] = "list_length" if i > 0 && arguments[i] == "list(&some_int)" }
  arguments[-1] = "list_length" if name == "rb_ary_splice" # The one whose list has its length behind it.
  # Bytes come with their length behind them.
  types.each_index { |i| arguments[i] = "text_length" if i > 0 && types[i - 1] == "const char *" && %w[long size_t].include?(types[i]) }
  [returned, name, arguments]
end

calls = prototypes.map.with_index do |(returned, name, arguments), i|
  made = arguments.map.with_index { |a, n| "__auto_type a#{n} = #{a.gsub("(n)", "(next())")}; " }.join
  call = "#{name}(#{arguments.each_index.map { "a#{_1}" }.join(", ")})"
  "    case #{i}: { #{made}#{returned == "VALUE" ? "return #{call}" : "(void)#{call}; return Qnil"}; }"
end

source = <<~C
  #include "ruby.h"
  #include "ruby/encoding.h"
  #include "ruby/re.h"
  #include "ruby/io.h"
  #include "ruby/thread.h"
  #include <float.h>
  #include <limits.h>
  #include <math.h>
  static VALUE pool, some_place[4];
  static int some_int, list_length;
  static long some_long;
  static unsigned long long state;
  static unsigned next(void) { state = state * 6364136223846793005ULL + 1442695040888963407ULL; return (unsigned)(state >> 33); }
  static VALUE value(unsigned n) { return rb_ary_entry(pool, n % RARRAY_LEN(pool)); }
  static const char *const texts[] = { #{NAMES.flatten.map { _1.dump }.join(", ")} };
  static long text_length;
  /* The call that is made takes the last one's length: of functions with two, both are short enough. */
  static const char *text(unsigned n) { const char *found = texts[n % #{NAMES.flatten.size}]; text_length = (long)strlen(found); return found; }
  static ID id(unsigned n) { return rb_intern(texts[n % #{NAMES[0].size}]); }
  static const long numbers[] = { 0, 1, -1, 2, 3, 7, 16, 100, -100, LONG_MAX, LONG_MIN, INT_MAX };
  static long number(unsigned n) { return numbers[n % (sizeof numbers / sizeof numbers[0])]; }
  static double real(unsigned n) { const double reals[] = { 0, -0.0, 1.5, -1e300, DBL_MIN, INFINITY, NAN }; return reals[n % 7]; }
  static rb_encoding *encoding(unsigned n)
  {
      return n % 4 == 0 ? rb_ascii8bit_encoding() : n % 4 == 1 ? rb_usascii_encoding() : n % 4 == 2 ? rb_enc_find("UTF-16LE") : rb_utf8_encoding();
  }
  static volatile VALUE *place(unsigned n) { some_place[n % 4] = value(next()); return &some_place[n % 4]; }
  static VALUE list_values[3];
  static const VALUE *list(int *unused) { for (int i = 0; i < 3; i++) list_values[i] = value(next()); return list_values; }
  static VALUE call(VALUE self, VALUE which, VALUE seed, VALUE values)
  {
      pool = values;
      state = NUM2ULL(seed);
      list_length = (int)(next() % 4);
      switch (NUM2INT(which)) {
  #{calls.join("\n")}
      }
      return Qnil;
  }
  static VALUE usable(VALUE self, VALUE v) { return rb_obj_class(v); }
  void Init_api_calls(void)
  {
      VALUE calls = rb_define_module("ApiCalls");
      rb_gc_register_address(&pool);
      for (int i = 0; i < 4; i++) { some_place[i] = Qnil; rb_gc_register_address(&some_place[i]); }
      for (int i = 0; i < 3; i++) { list_values[i] = Qnil; rb_gc_register_address(&list_values[i]); }
      rb_define_singleton_method(calls, "call", call, 3);
      rb_define_singleton_method(calls, "usable", usable, 1);
  }
C

program = <<~'RUBY'
  require "api_calls"
  seed, count, log = Integer(ARGV[0]), Integer(ARGV[1]), File.open(ARGV[2], "w")
  random = Random.new(seed)
  functions = Integer(ARGV[3])
  $stderr = File.open(File::NULL, "w")
  POOL = lambda do
    some = Class.new { attr_accessor :a; def each = yield(1); def to_str = "str"; def <=>(_) = 0 }
    raising = Class.new { def method_missing(name, *) = raise("no #{name}"); def respond_to_missing?(*) = true }
    io = File.open(File::NULL)
    closed = File.open(File::NULL).tap(&:close)
    [nil, true, false, 0, 1, -1, 2**62, 2**64, -(2**200), 1.5, Float::NAN, 1e300, 3r, 2i, :sym, :"a b", "", +"text", +"é\xff", "frozen".freeze,
     "x" * 1000, "w".encode("UTF-16LE"), "\0\0", [], [1, "a", nil], Array.new(100) { _1 }, [[1, 2]].freeze, {}, {a: 1, "b" => 2}, {1 => {}}.freeze,
     1..2, ("a"..), nil..nil, Object.new, BasicObject.new, some, some.new, raising.new, Class.new, Module.new, Class.new(StandardError), RuntimeError.new("x"),
     proc { 1 }, ->(x) { x }, Object.new.method(:to_s), Struct.new(:a, :b).new(1, 2), Time.at(0), /a(b)?/, "ab".match(/a(b)?/), [1].each, io, closed,
     Thread.new {}.tap(&:join), Mutex.new, Comparable, binding, Enumerator::Lazy, Encoding::UTF_8, Random.new(1), Process.clock_gettime(0), Rational, ENV]
  end
  pool = POOL.call
  count.times do |n|
    which, start = random.rand(functions), random.rand(2**62)
    which = Integer(ARGV[5]) if ARGV[5]
    log.seek(0)
    log.write("%-40s %d %-40d\n" % [ARGV[4].split(",")[which], which, start])
    log.flush
    pool = POOL.call if n % 200 == 0
    begin
      result = ApiCalls.call(which, start, pool)
      ApiCalls.usable(result)
    rescue Exception
    end
    GC.start if n % 500 == 0
  end
  exit!(0)
RUBY

each = ARGV[0] == "each"
rounds, seed = each ? prototypes.size : Integer(ARGV[0] || 4), Integer(ARGV[1] || rand(1_000_000))
puts "#{prototypes.size} functions, seed #{seed}"
failed = false
Dir.mktmpdir do |dir|
  File.write("#{dir}/api_calls.c", source)
  File.write("#{dir}/program.rb", program)
  built = system("cc", "-O1", "-g", "-w", "-fPIC", "-shared", "-std=gnu17", "-Werror=implicit-function-declaration", "-I", "#{TREE}/include",
                 "#{dir}/api_calls.c", "-o", "#{dir}/api_calls.so")
  abort "the extension does not compile" unless built
  names = prototypes.map { _2 }.join(",")
  rounds.times do |n|
    log = "#{dir}/log"
    arguments = [each ? seed : seed + n, each ? 300 : 3000, log, prototypes.size, names, *(n if each)].map(&:to_s)
    # An Array of 2**31 elements is memory that the machine may have: more than eight GB are refused, which raises.
    options = { chdir: dir, in: File::NULL, out: File::NULL, err: File::NULL, rlimit_data: 8 << 30 }
    pid = spawn(RUBY, "-W0", "-I", dir, "#{dir}/program.rb", *arguments, **options)
    status = nil
    limit = Process.clock_gettime(Process::CLOCK_MONOTONIC) + (ENV["LIMIT"] || 300).to_i
    sleep 0.02 until (status = Process.wait2(pid, Process::WNOHANG)&.last) || Process.clock_gettime(Process::CLOCK_MONOTONIC) > limit
    next if status&.success?
    Process.kill(:KILL, pid) && Process.wait(pid) unless status
    failed = true
    puts "seed #{arguments[0]}: #{status ? status.inspect : "does not end"}: #{File.read(log).lines.first}"
  end
end
exit(!failed)
