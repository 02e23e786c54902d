# `arity` and `parameters` of every method of the core classes are CRuby's. The table below has them by class: an arity, and the
# methods that have it and give no names; then the parameters of those that do. CRuby 4.0.0 says so.

# What is not there, or tells something else, and why.
MISSING = {
  "Process" => "what is handed on to the module's own function takes anything",
  "Signal" => "so do these",
  "no longer of use" => %w[Kernel#iterator? Kernel.iterator? Kernel#syscall Kernel.syscall Random.left Random.state],
  "there is no box" => %w[Method#box],
  "slots of one size are no part of this heap's statistics" => %w[GC.stat_heap],
  "real and effective ids change for a block nowhere" => %w[Process::UID#switch Process::UID.switch Process::GID#switch Process::GID.switch],
  "would cost a second system call in each stat" => %w[File::Stat#birthtime],
  "written without such helpers" => %w[Complex#marshal_dump Complex.convert Rational#marshal_dump Rational.convert],
  "the system has none of them" => %w[Process::Sys#setrgid Process::Sys#setruid Process::Sys.setrgid Process::Sys.setruid],
  "Kernel#clone, with what it takes" => %w[Method#clone Proc#clone UnboundMethod#clone]
}.freeze
EXCUSED = MISSING.values.grep(Array).flatten.freeze

def told(method)
  shown = method.parameters.map do |kind, name|
    case kind
    when :req then name ? name.to_s : "_"
    when :opt then "#{name}="
    when :rest then "*#{name}"
    when :key then "#{name}:"
    when :keyrest then "**#{name}"
    when :block then "&#{name}"
    end
  end
  shown.join(" ")
end

def of_number(arity) = arity < 0 ? "*" : (["_"] * arity).join(" ")

DATA.read.gsub("\n   ", " ").each_line do |line|
  where, line = line.chomp.split(" ", 2)
  klass = Object.const_get(where.chop)
  klass = klass.singleton_class if where.end_with?(".")
  line.split("; ").each do |group|
    expected, names = group.match(/\A(-?\d+|\(.*?\)):? (.*)/).captures
    shown = expected.start_with?("(") ? expected[1..-2] : of_number(expected.to_i)
    required = shown.split.count { |t| t.match?(/\A\w+\z/) }
    arity = shown.split.all? { |t| t.match?(/\A&?\w+\z/) } ? required : -required - 1
    names.split.each do |name|
      full = where + name
      method = begin
        klass.instance_method(name)
      rescue NameError
        puts "#{full} is missing" unless EXCUSED.include?(full)
        next
      end
      next if method.arity == arity && told(method) == shown || EXCUSED.include?(full)
      next if full.match?(/\A(Process|Signal).*#/) && told(method) == "*"
      puts "#{full}: #{method.arity} (#{told(method)}), not #{arity} (#{shown})"
    end
  end
end

# What the core has besides gives no names either, written in Ruby as it may be.
seen = Hash.new { |h, k| h[k] = [] }
own = [Kernel, *Object.constants.filter_map { |n| Object.const_get(n) unless n == :Gem }.grep(Module)]
own.reject! { |m| m.name.match?(/\A(Gem|DidYouMean|ErrorHighlight|SyntaxSuggest|MonitorMixin|RubyVM|Asterism)/) }
own.flat_map { |m| [m, m.singleton_class] }.each do |m|
  m.instance_methods(false).each do |name|
    method = m.instance_method(name)
    next unless method.owner == m && method.source_location&.first&.start_with?("<internal:")
    seen[told(method)] << "#{m}##{name}"
  end
end
p seen.keys.map { |k| k.split }.flatten.uniq.sort
# => ["&block", "*", "*args", "*events", "*indexes", "*msgs", "*ports", "_", "_flags=", "base:", "category:", "copy:", "encoding:", "eps=", "feature", "flags:", "name", "obj", "other", "pattern", "self:", "sort:", "sym", "target:", "target_line:", "target_thread:", "uplevel:"]

# What depends on it.
p method(:Integer).to_proc.arity, method(:Integer).to_proc.lambda?, [].method(:push).to_proc.parameters
# => -2
# => true
# => [[:rest]]
p [].method(:fetch).curry.lambda?, {}.method(:store).curry[1][2]
# => true
# => 2
p method(:puts).unbind.arity, [].method(:map).unbind.parameters
# => -1
# => []
c = Class.new do
  define_method(:sum, &:+)
  define_method(:number, &Kernel.method(:Integer))
  define_method(:list, Array.instance_method(:first).owner.instance_method(:then))
  alias_method :other, :then
end
p c.instance_method(:sum).arity, c.instance_method(:sum).parameters, c.instance_method(:number).arity, c.instance_method(:other).arity
# => -2
# => [[:req], [:rest]]
# => -2
# => 0
p c.instance_method(:number).parameters # => [[:req, :arg], [:opt, :base], [:key, :exception]]
p proc { |a, b| }.curry.parameters, (method(:p) >> method(:p)).parameters, ->(a, b) {}.curry.arity
# => [[:rest]]
# => [[:rest]]
# => -1

# What a block of the core is seen as.
class Looked
  include Enumerable

  def each(&block)
    BLOCKS << [block.arity, block.lambda?, block.parameters]
    yield 1
    yield 2
    self
  end
end
BLOCKS = []
given = {first: [1], take: [1], drop: [1], grep: [1], grep_v: [1], include?: [1], member?: [1], zip: [[1]], each_slice: [1], each_cons: [1],
         each_with_object: [1], cycle: [1], inject: [:+], reduce: [:+]}
Enumerable.instance_methods.each do |name|
  2.times do |i|
    Looked.new.public_send(name, *given[name]) { |*all| i == 0 ? [1, 2] : all.size }
    Looked.new.public_send(name, *given[name])
  rescue TypeError, ArgumentError, LocalJumpError, NoMethodError
    # to_h and each_entry want other blocks.
  end
end
p BLOCKS.tally.keys, BLOCKS.size > 100
# => [[-1, false, [[:rest]]]]
# => true

# The words for what a method that takes keywords is not given, or does not take.
def words
  yield
rescue ArgumentError => e
  puts e.message
end
words { Integer() } # => wrong number of arguments (given 0, expected 1..2)
words { Integer("1", 2, 3) } # => wrong number of arguments (given 3, expected 1..2)
words { Integer("1", 2, 3, exception: false) } # => wrong number of arguments (given 3, expected 1..2)
words { Integer("1", excepted: false) } # => unknown keyword: :excepted
words { Float() } # => wrong number of arguments (given 0, expected 1)
words { Float("1", 2) } # => wrong number of arguments (given 2, expected 1)
words { [1].shuffle(1) } # => wrong number of arguments (given 1, expected 0)
words { [1].sample(1, 2, random: Random) } # => wrong number of arguments (given 2, expected 0..1)
words { [1].sample(seed: 1, random: Random, other: 2) } # => unknown keywords: :seed, :other
words { [1].pack } # => wrong number of arguments (given 0, expected 1)
words { "".unpack("a", 1) } # => wrong number of arguments (given 2, expected 1)
words { "".unpack1("a", of: 1) } # => unknown keyword: :of
words { "".lines("", true) } # => wrong number of arguments (given 2, expected 0..1)
words { "".lines(chop: true) } # => unknown keyword: :chop
words { "".encode("UTF-8", "UTF-8", 1) } # => wrong number of arguments (given 3, expected 0..2)
words { String.new("", 1) } # => wrong number of arguments (given 2, expected 0..1)
words { String.new(size: 1) } # => unknown keyword: :size
words { Hash.new(1, 2) } # => wrong number of arguments (given 2, expected 0..1)
words { Hash.new(size: 1) } # => unknown keyword: :size
words { Object.new.clone(true) } # => wrong number of arguments (given 1, expected 0)
words { Object.new.clone(frozen: true) } # => unknown keyword: :frozen
words { 1.clone(true) } # => wrong number of arguments (given 1, expected 0)
words { 1.5.round(1, 2) } # => wrong number of arguments (given 2, expected 0..1)
words { 1.5.round(half: :up, twice: 1) } # => unknown keyword: :twice
words { Time.now(1) } # => wrong number of arguments (given 1, expected 0)
words { Time.at } # => wrong number of arguments (given 0, expected 1..3)
words { Time.at(1, zone: 1) } # => unknown keyword: :zone
words { Time.new(1, 2, 3, 4, 5, 6, 7, 8) } # => wrong number of arguments (given 8, expected 0..7)
words { Marshal.load } # => wrong number of arguments (given 0, expected 1..2)
words { Regexp.new } # => wrong number of arguments (given 0, expected 1..2)
words { Regexp.new("a", limit: 1) } # => unknown keyword: :limit
words { Regexp.linear_time?("a", 1, 2) } # => wrong number of arguments (given 3, expected 1..2)
words { "a".match(/a/).named_captures(true) } # => wrong number of arguments (given 1, expected 0)
words { GC.start(1) } # => wrong number of arguments (given 1, expected 0)
words { GC.start(now: true) } # => unknown keyword: :now
words { proc {}.parameters(true) } # => wrong number of arguments (given 1, expected 0)
words { RuntimeError.new.full_message(true) } # => wrong number of arguments (given 1, expected 0)
words { [1, 2].inject } # => wrong number of arguments (given 0, expected 1..2)
words { (1..2).reduce } # => wrong number of arguments (given 0, expected 1..2)
p "a".encode("UTF-8", any: 1), RuntimeError.new("a").detailed_message(any: 1)
# => "a"
# => "a (RuntimeError)"
begin
  Hash.new(&5.method(:+))
rescue TypeError => e
  puts e.message # => default_proc takes two arguments (2 for 1)
end

__END__
Array# -1 [] []= all? any? append concat count cycle detect difference dig fetch fill find find_index flatten flatten! index initialize insert
   intersection join max min none? one? permutation pop prepend product push rfind rindex rotate rotate! shift slice slice! sum union unshift
   values_at zip; 0 bsearch bsearch_index clear collect collect! compact compact! deconstruct delete_if drop_while each each_index empty? filter
   filter! freeze hash inspect keep_if length map map! minmax reject reject! reverse reverse! reverse_each select select! size sort sort! sort_by!
   take_while to_a to_ary to_h to_s transpose uniq uniq!; 1 & * + - << <=> == assoc at combination delete delete_at drop eql? include?
   initialize_copy intersect? rassoc repeated_combination repeated_permutation replace take |; (*indexes &block) fetch_values; (fmt buffer:) pack;
   (n= random:) sample; (n=) first last; (random:) shuffle shuffle!
Array. -1 [] new; 1 try_convert
BasicObject# -1 __send__ instance_eval instance_exec method_missing; 0 ! __id__ initialize; 1 != == equal? singleton_method_added
   singleton_method_removed singleton_method_undefined
Binding# -1 eval; 0 clone dup implicit_parameters local_variables receiver source_location; 1 implicit_parameter_defined? implicit_parameter_get
   local_variable_defined? local_variable_get; 2 local_variable_set
Class# -1 initialize new; 0 allocate attached_object subclasses superclass; 1 inherited
Class. 0 allocate
Comparable# -1 clamp; 1 < <= == > >=; 2 between?
Complex# -1 rationalize; 0 -@ abs abs2 angle arg conj conjugate denominator finite? hash imag imaginary infinite? inspect magnitude marshal_dump
   numerator phase polar real real? rect rectangular to_c to_f to_i to_r to_s; 1 * ** + - / <=> == coerce eql? fdiv quo
Complex. -1 convert polar rect rectangular
Data# -1 initialize with; 0 deconstruct hash inspect members to_h to_s; 1 == deconstruct_keys eql? initialize_copy
Data. -1 define
Dir# 0 chdir children close each each_child fileno inspect path pos read rewind tell to_path; 1 pos= seek; (name encoding:) initialize
Dir. -1 chdir children each_child entries foreach home mkdir; 0 getwd pwd; 1 chroot delete empty? exist? fchdir for_fd rmdir unlink; (*args base:
   sort:) []; (name encoding: &block) open; (pattern _flags= flags: base: sort:) glob
Encoding# -1 _dump; 0 ascii_compatible? dummy? inspect name names to_s
Encoding. 0 aliases default_external default_internal list locale_charmap name_list; 1 _load default_external= default_internal= find; 2 compatible?
Encoding::Converter# -1 initialize primitive_convert putback; 0 convpath destination_encoding finish inspect last_error primitive_errinfo replacement
   source_encoding; 1 == convert insert_output replacement=
Encoding::Converter. -1 search_convpath; 1 asciicompat_encoding
Encoding::InvalidByteSequenceError# 0 destination_encoding destination_encoding_name error_bytes incomplete_input? readagain_bytes source_encoding
   source_encoding_name
Encoding::UndefinedConversionError# 0 destination_encoding destination_encoding_name error_char source_encoding source_encoding_name
Enumerable# -1 all? any? chain count cycle detect each_entry each_with_index entries find find_index first inject max max_by min min_by none? one?
   reduce reverse_each slice_after slice_before sum tally to_a to_h zip; 0 chunk chunk_while collect collect_concat compact drop_while filter
   filter_map find_all flat_map group_by lazy map minmax minmax_by partition reject select slice_when sort sort_by take_while uniq; 1 drop each_cons
   each_slice each_with_object grep grep_v include? member? take; (*args &block) to_set
Enumerator# -1 each initialize with_index; 0 each_with_index inspect next next_values peek peek_values rewind size; 1 + each_with_object feed
   initialize_copy with_object
Enumerator. -1 produce product
Enumerator::ArithmeticSequence# -1 first last; 0 begin each end exclude_end? hash inspect size step; 1 == === eql?
Enumerator::Chain# -1 each initialize; 0 inspect rewind size; 1 initialize_copy
Enumerator::Generator# -1 each initialize; 1 initialize_copy
Enumerator::Lazy# -1 chunk chunk_while enum_for force initialize slice_after slice_before slice_when to_enum with_index zip; 0 collect collect_concat
   compact drop_while eager filter filter_map find_all flat_map lazy map reject select take_while uniq; 1 drop grep grep_v take
Enumerator::Producer# 0 each
Enumerator::Product# -1 initialize; 0 each inspect rewind size; 1 initialize_copy
Enumerator::Yielder# -1 yield; 0 initialize to_proc; 1 <<
Exception# -1 detailed_message exception full_message initialize method_missing respond_to?; 0 backtrace backtrace_locations cause inspect message
   to_s; 1 == set_backtrace; 2 respond_to_missing?
Exception. -1 exception; 0 to_tty?
FalseClass# 0 inspect to_s; 1 & === ^ |
Fiber# -1 backtrace backtrace_locations initialize raise resume transfer; 0 alive? blocking? inspect kill storage to_s; 1 storage=
Fiber. -1 schedule yield; 0 blocking blocking? current current_scheduler scheduler; 1 [] set_scheduler; 2 []=
File# -1 initialize; 0 atime birthtime ctime lstat mtime size; 1 chmod flock truncate; 2 chown
File. -1 absolute_path basename chmod chown delete dirname expand_path fnmatch fnmatch? join lchmod lchown lutime mkfifo realdirpath realpath umask
   unlink utime; 1 absolute_path? atime birthtime blockdev? chardev? ctime directory? empty? executable? executable_real? exist? extname file? ftype
   grpowned? lstat mtime owned? path pipe? readable? readable_real? readlink setgid? setuid? size size? socket? split stat sticky? symlink?
   world_readable? world_writable? writable? writable_real? zero?; 2 identical? link rename symlink truncate
File::Stat# 0 atime birthtime blksize blockdev? blocks chardev? ctime dev dev_major dev_minor directory? executable? executable_real? file? ftype gid
   grpowned? ino inspect mode mtime nlink owned? pipe? rdev rdev_major rdev_minor readable? readable_real? setgid? setuid? size size? socket? sticky?
   symlink? uid world_readable? world_writable? writable? writable_real? zero?; 1 <=> initialize initialize_copy
FileTest# 1 blockdev? chardev? directory? empty? executable? executable_real? exist? file? grpowned? owned? pipe? readable? readable_real? setgid?
   setuid? size size? socket? sticky? symlink? world_readable? world_writable? writable? writable_real? zero?; 2 identical?
FileTest. 1 blockdev? chardev? directory? empty? executable? executable_real? exist? file? grpowned? owned? pipe? readable? readable_real? setgid?
   setuid? size size? socket? sticky? symlink? world_readable? world_writable? writable? writable_real? zero?; 2 identical?
Float# -1 ceil floor rationalize round truncate; 0 -@ abs angle arg denominator finite? hash infinite? inspect magnitude nan? negative? next_float
   numerator phase positive? prev_float to_f to_i to_int to_r to_s zero?; 1 % * ** + - / < <= <=> == === > >= coerce divmod eql? fdiv modulo quo
FrozenError# -1 initialize; 0 receiver
GC# (full_mark: immediate_mark: immediate_sweep:) garbage_collect
GC. -1 verify_compaction_references; 0 auto_compact compact count disable enable latest_compact_info measure_total_time stress total_time
   verify_internal_consistency; 1 auto_compact=; (flag) measure_total_time= stress=; (full_mark: immediate_mark: immediate_sweep:) start; (hash=)
   config; (hash_or_key=) latest_gc_info stat; (heap_name= hash_or_key=) stat_heap
GC::Profiler. -1 report; 0 clear disable enable enabled? raw_data result total_time
Hash# -1 any? default dig except fetch fetch_values flatten merge merge! slice transform_keys transform_keys! update values_at; 0 clear compact
   compact! compare_by_identity compare_by_identity? default_proc delete_if each each_key each_pair each_value empty? filter filter! freeze hash
   inspect invert keep_if keys length rehash reject reject! select select! shift size to_a to_h to_hash to_proc to_s transform_values
   transform_values! values; 1 < <= == > >= [] assoc deconstruct_keys default= default_proc= delete eql? has_key? has_value? include? initialize_copy
   key key? member? rassoc replace value?; 2 []= store; (ifnone= capacity: &block) initialize
Hash. -1 []; 1 ruby2_keywords_hash ruby2_keywords_hash? try_convert
IO# -1 advise each each_line fcntl gets initialize ioctl pread print printf puts read readlines readpartial reopen seek set_encoding sysread sysseek
   wait wait_priority wait_readable wait_writable write; 0 autoclose? binmode binmode? close close_on_exec? close_read close_write closed? each_byte
   each_char each_codepoint eof eof? external_encoding fdatasync fileno flush fsync getbyte getc inspect internal_encoding isatty lineno path pid pos
   readbyte readchar rewind set_encoding_by_bom stat sync tell timeout to_i to_io to_path tty?; 1 << autoclose= close_on_exec= initialize_copy
   lineno= pos= putc sync= syswrite timeout= ungetbyte ungetc; 2 pwrite; (buf exception:) write_nonblock; (len buf= exception:) read_nonblock; (sep=
   limit= chomp:) readline
IO. -1 binread binwrite copy_stream for_fd foreach new open pipe popen read readlines select sysopen write; 1 try_convert
IO::Buffer# -1 clear copy each each_byte get_string hexdump initialize pread pwrite read set_string slice values write; 0 empty? external? free
   inspect internal? locked locked? mapped? not! null? private? readonly? shared? size to_s transfer valid? ~; 1 & <=> ^ and! initialize_copy or!
   resize xor! |; 2 get_value get_values; 3 set_value set_values
IO::Buffer. -1 map; 1 for size_of string
Integer# -1 [] ceil chr digits floor inspect pow rationalize round to_s truncate; 0 -@ abs bit_length denominator even? integer? magnitude next
   numerator odd? ord pred size succ times to_f to_i to_int to_r zero? ~; 1 % & * ** + - / < << <= <=> == === > >= >> ^ allbits? anybits? coerce div
   divmod downto fdiv gcd gcdlcm lcm modulo nobits? remainder upto |; (other) ceildiv
Integer. 1 sqrt try_convert
Interrupt# -1 initialize
Kernel# -1 Complex Rational abort autoload? caller caller_locations catch define_singleton_method display enum_for eval exec exit exit! extend fail
   format gets initialize_clone load methods open p print printf private_methods protected_methods public_methods public_send puts raise rand
   readline readlines respond_to? select send singleton_methods sleep spawn sprintf srand syscall system test throw to_enum trace_var trap
   untrace_var; 0 __callee__ __dir__ __method__ at_exit binding block_given? class dup fork freeze frozen? global_variables hash inspect
   instance_variables instance_variables_to_inspect iterator? itself lambda local_variables loop nil? object_id proc singleton_class tap then to_s
   yield_self; 1 !~ <=> === Array Hash String ` eql? initialize_copy initialize_dup instance_of? instance_variable_defined? instance_variable_get
   is_a? kind_of? method public_method putc remove_instance_variable require require_relative set_trace_func singleton_method; 2 autoload
   instance_variable_set respond_to_missing?; (*msgs uplevel: category:) warn; (*objs) pp; (arg base= exception:) Integer; (arg exception:) Float;
   (freeze:) clone
Kernel. -1 Complex Rational abort autoload? caller caller_locations catch eval exec exit exit! fail format gets load open p print printf puts raise
   rand readline readlines select sleep spawn sprintf srand syscall system test throw trace_var trap untrace_var; 0 __callee__ __dir__ __method__
   at_exit binding block_given? fork global_variables iterator? lambda local_variables loop proc; 1 Array Hash String ` putc require require_relative
   set_trace_func; 2 autoload; (*msgs uplevel: category:) warn; (arg base= exception:) Integer; (arg exception:) Float
KeyError# -1 initialize; 0 key receiver
LoadError# 0 path
LocalJumpError# 0 exit_value reason
Marshal# -1 dump
Marshal. -1 dump; (source proc= freeze:) load restore
MatchData# -1 [] named_captures values_at; 0 captures deconstruct hash inspect length names post_match pre_match regexp size string to_a to_s; 1 ==
   begin bytebegin byteend byteoffset deconstruct_keys end eql? initialize_copy match match_length offset
Math# -1 log; 1 acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp expm1 frexp gamma lgamma log10 log1p log2 sin sinh sqrt tan tanh; 2 atan2
   hypot ldexp
Math. -1 log; 1 acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp expm1 frexp gamma lgamma log10 log1p log2 sin sinh sqrt tan tanh; 2 atan2
   hypot ldexp
Method# -1 === [] call curry; 0 arity box clone dup hash inspect name original_name owner parameters receiver source_location super_method to_proc
   to_s unbind; 1 << == >> eql?
Module# -1 attr attr_accessor attr_reader attr_writer autoload? class_eval class_exec class_variables const_defined? const_get const_source_location
   constants define_method deprecate_constant include initialize_clone instance_methods method_defined? module_eval module_exec module_function
   prepend private private_class_method private_constant private_instance_methods private_method_defined? protected protected_instance_methods
   protected_method_defined? public public_class_method public_constant public_instance_methods public_method_defined? remove_method ruby2_keywords
   undef_method; 0 ancestors freeze included_modules initialize inspect name refinements singleton_class? to_s undefined_instance_methods; 1 < <= <=>
   == === > >= append_features class_variable_defined? class_variable_get const_added const_missing extend_object extended include? included
   instance_method method_added method_removed method_undefined prepend_features prepended public_instance_method refine remove_class_variable
   remove_const set_temporary_name using; 2 alias_method autoload class_variable_set const_set
Module. -1 constants; 0 nesting used_modules used_refinements
NameError# -1 initialize; 0 local_variables name receiver
NilClass# 0 inspect nil? to_a to_c to_f to_h to_i to_r to_s; 1 & === =~ ^ |; (eps=) rationalize
NoMatchingPatternKeyError# -1 initialize; 0 key matchee
NoMethodError# -1 initialize; 0 args private_call?
Numeric# -1 ceil clone floor round step truncate; 0 +@ -@ abs abs2 angle arg conj conjugate denominator dup finite? i imag imaginary infinite?
   integer? magnitude negative? nonzero? numerator phase polar positive? real real? rect rectangular to_c to_int zero?; 1 % <=> coerce div divmod
   eql? fdiv modulo quo remainder singleton_method_added
ObjectSpace# -1 count_objects define_finalizer each_object; 1 _id2ref undefine_finalizer; (full_mark: immediate_mark: immediate_sweep:)
   garbage_collect
ObjectSpace. -1 count_objects define_finalizer each_object; 1 _id2ref undefine_finalizer; (full_mark: immediate_mark: immediate_sweep:)
   garbage_collect
ObjectSpace::WeakKeyMap# 0 clear inspect; 1 [] delete getkey key?; 2 []=
ObjectSpace::WeakMap# 0 each each_key each_pair each_value inspect keys length size values; 1 [] delete include? key? member?; 2 []=
Proc# -1 === [] call curry parameters yield; 0 arity binding clone dup hash inspect lambda? ruby2_keywords source_location to_proc to_s; 1 << == >>
   eql?
Proc. -1 new
Process# -1 clock_getres clock_gettime daemon getsid kill setrlimit wait wait2 waitpid waitpid2; 0 argv0 egid euid getpgrp gid groups maxgroups pid
   ppid setpgrp setsid times uid waitall warmup; 1 detach egid= euid= getpgid getrlimit gid= groups= maxgroups= setproctitle uid=; 2 getpriority
   initgroups setpgid; 3 setpriority
Process. -1 abort clock_getres clock_gettime daemon exec exit exit! getsid kill setrlimit spawn wait wait2 waitpid waitpid2; 0 _fork argv0 egid euid
   fork getpgrp gid groups last_status maxgroups pid ppid setpgrp setsid times uid waitall warmup; 1 detach egid= euid= getpgid getrlimit gid=
   groups= maxgroups= setproctitle uid=; 2 getpriority initgroups setpgid; 3 setpriority
Process::GID# 0 eid re_exchange re_exchangeable? rid sid_available? switch; 1 change_privilege from_name grant_privilege
Process::GID. 0 eid re_exchange re_exchangeable? rid sid_available? switch; 1 change_privilege eid= from_name grant_privilege
Process::Status# 0 coredump? exited? exitstatus inspect pid signaled? stopped? stopsig success? termsig to_i to_s; 1 ==
Process::Status. -1 wait
Process::Sys# 0 getegid geteuid getgid getuid issetugid setrgid setruid; 1 setegid seteuid setgid setuid; 2 setregid setreuid; 3 setresgid setresuid
Process::Sys. 0 getegid geteuid getgid getuid issetugid setrgid setruid; 1 setegid seteuid setgid setuid; 2 setregid setreuid; 3 setresgid setresuid
Process::Tms# 0 cstime cutime stime utime; 1 cstime= cutime= stime= utime=
Process::Tms. -1 [] new; 0 inspect keyword_init? members
Process::UID# 0 eid re_exchange re_exchangeable? rid sid_available? switch; 1 change_privilege from_name grant_privilege
Process::UID. 0 eid re_exchange re_exchangeable? rid sid_available? switch; 1 change_privilege eid= from_name grant_privilege
Process::Waiter# 0 pid
Ractor# 0 close default_port inspect join name receive recv to_s value; (** **** &&) << send; (port) monitor unmonitor; (sym val) []=; (sym) []
Ractor. 0 count current main main? receive recv; (*args name: &block) new; (*ports) select; (feature) _require; (obj copy:) make_shareable; (obj)
   shareable?; (self:) shareable_lambda shareable_proc; (sym val) []=; (sym) [] store_if_absent
Ractor::MovedObject# -1 ! != == __id__ __send__ equal? instance_eval instance_exec method_missing
Ractor::Port# 0 close closed? initialize inspect receive; 1 initialize_copy; (obj move:) << send
Ractor::RemoteError# 0 ractor
Random# 0 left marshal_dump state; 1 == initialize_copy marshal_load
Random. -1 rand srand; 0 left new_seed seed state; 1 bytes urandom
Random::Formatter# -1 rand random_number
Range# -1 count first initialize last max min step to_set; 0 begin bsearch each end entries exclude_end? hash inspect minmax reverse_each size to_a
   to_s; 1 % == === cover? eql? include? initialize_copy member? overlap?
Rational# -1 ceil floor rationalize round truncate; 0 -@ abs denominator hash inspect magnitude marshal_dump negative? numerator positive? to_f to_i
   to_r to_s; 1 * ** + - / <=> == coerce fdiv quo
Rational. -1 convert
Refinement# -1 import_methods; 0 target
Regexp# -1 initialize match match?; 0 casefold? encoding fixed_encoding? hash inspect named_captures names options source timeout to_s ~; 1 == === =~
   eql? initialize_copy
Regexp. -1 compile last_match linear_time? union; 0 timeout; 1 escape quote timeout= try_convert
Set# -1 initialize join merge to_set; 0 classify clear collect! compare_by_identity compare_by_identity? delete_if divide each empty? filter! flatten
   flatten! hash inspect keep_if length map! reject! reset select! size to_a to_s; 1 & + - < << <= <=> == === > >= ^ add add? delete delete?
   difference disjoint? eql? include? initialize_copy intersect? intersection member? proper_subset? proper_superset? replace subset? subtract
   superset? union |
Set. -1 []; 1 inherited
Signal# -1 trap; 0 list; 1 signame
Signal. -1 trap; 0 list; 1 signame
SignalException# -1 initialize; 0 signm signo
StopIteration# 0 result
String# -1 [] []= append_as_bytes byteindex byterindex byteslice bytesplice capitalize capitalize! center chomp chomp! concat count delete delete!
   downcase downcase! each_line encode encode! end_with? gsub gsub! index initialize lines ljust lstrip lstrip! match match? prepend rindex rjust
   rstrip rstrip! scrub scrub! slice slice! split squeeze squeeze! start_with? strip strip! sub sub! sum swapcase swapcase! to_i unicode_normalize
   unicode_normalize! unicode_normalized? upcase upcase! upto; 0 +@ -@ ascii_only? b bytes bytesize chars chop chop! chr clear codepoints dedup dump
   dup each_byte each_char each_codepoint each_grapheme_cluster empty? encoding freeze grapheme_clusters hash hex inspect intern length next next!
   oct ord reverse reverse! size succ succ! to_c to_f to_r to_s to_str to_sym undump valid_encoding?; 1 % * + << <=> == === =~ casecmp casecmp? crypt
   delete_prefix delete_prefix! delete_suffix delete_suffix! eql? force_encoding getbyte include? initialize_copy partition replace rpartition scan;
   2 insert setbyte tr tr! tr_s tr_s!; (fmt offset:) unpack unpack1
String. -1 new; 1 try_convert
Struct# -1 dig filter initialize select values_at; 0 deconstruct each each_pair hash inspect length members size to_a to_h to_s values; 1 == []
   deconstruct_keys eql? initialize_copy; 2 []=
Struct. -1 new
Symbol# -1 [] capitalize downcase end_with? match match? slice start_with? swapcase upcase; 0 empty? encoding id2name inspect intern length name next
   size succ to_proc to_s to_sym; 1 <=> == === =~ casecmp casecmp?
Symbol. 0 all_symbols
SyntaxError# -1 initialize; 0 path
SystemCallError# -1 initialize; 0 errno
SystemCallError. 1 ===
SystemExit# -1 initialize; 0 status success?
Thread# -1 backtrace backtrace_locations fetch initialize join pending_interrupt? raise; 0 abort_on_exception alive? exit group inspect keys kill
   name native_thread_id priority report_on_exception run status stop? terminate thread_variables to_s value wakeup; 1 [] abort_on_exception=
   add_trace_func key? name= priority= report_on_exception= set_trace_func thread_variable? thread_variable_get; 2 []= thread_variable_set
Thread. -1 each_caller_location fork new pending_interrupt? start; 0 abort_on_exception current exit ignore_deadlock list main pass
   report_on_exception stop; 1 abort_on_exception= handle_interrupt ignore_deadlock= kill report_on_exception=
Thread::Backtrace::Location# 0 absolute_path base_label inspect label lineno path to_s
Thread::ConditionVariable# 0 broadcast initialize marshal_dump signal; (mutex timeout=) wait
Thread::Mutex# 0 initialize lock locked? owned? synchronize try_lock unlock; (timeout=) sleep
Thread::Queue# -1 initialize; 0 clear close closed? empty? freeze length marshal_dump num_waiting size; 1 << enq push; (non_block= timeout:) deq pop
   shift
Thread::SizedQueue# 0 clear close max num_waiting; 1 initialize max=; (non_block= timeout:) deq pop shift; (object non_block= timeout:) << enq push
ThreadGroup# 0 enclose enclosed? list; 1 add
Time# -1 _dump ceil floor getlocal iso8601 localtime round xmlschema; 0 asctime ctime day dst? friday? getgm getutc gmt? gmt_offset gmtime gmtoff
   hash hour inspect isdst mday min mon monday? month nsec saturday? sec subsec sunday? thursday? to_a to_f to_i to_r to_s tuesday? tv_nsec tv_sec
   tv_usec usec utc utc? utc_offset wday wednesday? yday year zone; 1 + - <=> deconstruct_keys eql? initialize_copy strftime; (year= mon= mday= hour=
   min= sec= zone= in: precision:) initialize
Time. -1 gm local mktime utc; 1 _load; (in:) now; (time subsec= unit= in:) at
TracePoint# 0 binding callee_id defined_class disable enabled? eval_script event inspect instruction_sequence lineno method_id parameters path
   raised_exception return_value self; (target: target_line: target_thread:) enable
TracePoint. 0 allow_reentry stat; (*events) new trace
TrueClass# 0 inspect to_s; 1 & === ^ |
UnboundMethod# -1 bind_call; 0 arity clone dup hash inspect name original_name owner parameters source_location super_method to_s; 1 == bind eql?
UncaughtThrowError# -1 initialize; 0 tag to_s value
Warning# -1 warn
Warning. 0 categories; 1 []; 2 []=
