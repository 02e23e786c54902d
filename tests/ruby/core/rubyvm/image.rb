# VMs that are made from the image of another: they have what a VM has that boots, and it is their own.

def survey
  RubyVM.new("survey") do
    modules = ObjectSpace.each_object(Module).reject(&:singleton_class?).select(&:name).sort_by(&:name)
    modules.map do |m|
      [m.name, m.class.name, m.ancestors.map(&:to_s), m.constants(false).map(&:to_s),
       m.instance_methods(false), m.private_instance_methods(false), m.singleton_methods(false),
       m.singleton_class.private_instance_methods(false)]
    end
  end.start.value
end

# The first two boot: the main VM and the first of these.
first, second, third = survey, survey, survey
p first.size > 150 # => true
p first == second # => true
p first == third # => true

# Methods are found after collections, whoever looks first.
p RubyVM.new("collects") {
  GC.start
  a = [3.times.to_a, "x-y".split("-"), { a: 1 }.map { |k, v| [k, v] }, 7.digits, (1..4).each_slice(2).to_a]
  GC.start
  [a, [1, 2].sum, 5.clamp(1, 3), Comparable.instance_method(:clamp).owner.name]
}.start.value # => [[[0, 1, 2], ["x", "y"], [[:a, 1]], [7], [[1, 2], [3, 4]]], 3, 3, "Comparable"]

# One method for all threads, however many look it up at once.
p RubyVM.new("races") {
  go = Queue.new
  threads = Array.new(8) { Thread.new { go.pop; [Array.instance_method(:each_cons), String.instance_method(:ljust)] } }
  8.times { go << 1 }
  threads.map(&:value).uniq.size
}.start.value # => 1

# Whatever changes a core class.
changes = proc do
  names = String.instance_methods(false)
  class String
    def shout = upcase + "!"
    alias old_upcase upcase
    def upcase = "UP"
    undef_method :swapcase
    remove_method :squeeze
    private :center
    def chars = super
  end
  swap = ("x".swapcase rescue $!.class)
  gone = ("x".squeeze rescue $!.class)
  hidden = ("x".center(3) rescue $!.class)
  up = ("x".chars rescue $!.class)
  after = String.instance_methods(false)
  [swap, gone, hidden, up, "a".shout, "a".old_upcase, names - after, after - names, after.first(5) == names.first(5)]
end
expected = [NoMethodError, NoMethodError, NoMethodError, NoMethodError, "UP!", "A", %i[center squeeze swapcase], %i[shout old_upcase], true]
2.times do
  got = RubyVM.new("changes", &changes).start.value
  got[6] = got[6].sort
  p got == expected # => true
end
# => true

p RubyVM.new("prepends") {
  log = []
  before = Module.new { define_method(:push) { |*a| log << a; super(*a) } }
  Array.prepend(before)
  refined = Module.new { refine(Integer) { def double = self * 2 } }
  copy = Array.clone
  [[1].push(2), log, copy.new([1]).first, copy.instance_methods(false).size == Array.instance_methods(false).size,
   Array.instance_method(:push).owner == before, [].method(:push).super_method.owner, Array.method_defined?(:push, false),
   Array.instance_methods(false).include?(:push)]
}.start.value # => [[1, 2], [[2]], 1, true, true, Array, true, true]

# An alias of the core library and what it is an alias of.
p RubyVM.new("aliases") {
  e = Enumerable.instance_method(:entries)
  [e == Enumerable.instance_method(:to_a), e.name, [].method(:map).owner, Kernel.method(:puts).owner.inspect,
   Array.instance_method(:nosuch)] rescue $!.message
}.start.value # => "undefined method 'nosuch' for class 'Array'"

p RubyVM.new("missing") {
  class Array
    def method_missing(name, *args) = [name, args]
    def respond_to_missing?(name, all) = name == :any
  end
  [[].whatever(1), [].respond_to?(:any), [].respond_to?(:each), [].respond_to?(:initialize), [].respond_to?(:puts, true)]
}.start.value # => [[:whatever, [1]], true, true, false, true]

# What is written in Ruby in the core library finds its constants, and blocks given to define_method their objects.
p RubyVM.new("ruby") {
  [[3, 1].each_entry.to_a, (1..Float::INFINITY).lazy.map { |x| x * 2 }.first(2), Struct.new(:a).new(1).to_a,
   Complex::I * 1, 1.step(10, 4).to_a, Process::Tms.members.size, [1, 2].to_enum.next, ENV.class, ARGF.class.inspect]
}.start.value # => [[3, 1], [2, 4], [1], (0+1i), [1, 5, 9], 4, 1, Object, "ARGF.class"]

p RubyVM.new("encodings") {
  [Encoding.list.size == Encoding.list.uniq.size, Encoding::UTF_8.equal?("".encoding), Encoding.default_external,
   TOPLEVEL_BINDING.receiver.inspect, Thread.main == Thread.current, Thread.current.group == ThreadGroup::Default,
   $stdout.fileno, STDERR.sync, $stdin.equal?(STDIN)].map(&:to_s)
}.start.value # => ["true", "true", "UTF-8", "main", "true", "true", "1", "true", "true"]

# Nothing is seen in another VM, nor in one made afterwards.
RubyVM.new("spoils") {
  class Integer; def +(other) = 42; end
  Float.const_set(:SPOILT, 1)
  Object.send(:remove_const, :Comparable)
  "%".dup.freeze
  $; = ","
  ENCODINGS = Encoding.constants
  String.freeze
}.start.join
p RubyVM.new("fresh") {
  [1 + 1, Float.const_defined?(:SPOILT), defined?(Comparable), $;, defined?(ENCODINGS), String.frozen?]
}.start.value # => [2, false, "constant", nil, nil, false]

# In little memory a method is still found.
p RubyVM.new("little", memory_limit: 4 << 20) {
  begin
    a = []
    loop { a << "x" * 1000 }
  rescue NoMemoryError
    a.clear # a machine stack may still refer to it
    [[1, 2].each_slice(1).to_a, "abc".tr("a", "b")]
  end
}.start.value # => [[[1], [2]], "bbc"]
