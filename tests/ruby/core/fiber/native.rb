# A fiber is suspended in the middle of any method, at any depth, and collected there.

f = Fiber.new { [3, 1, 2].sort_by { |x| Fiber.yield x } }
p f.resume, f.resume(1), f.resume(2), f.resume(0) # => 3
# => 1
# => 2
# => [2, 3, 1]

f = Fiber.new { {a: 1, b: 2}.each { |k, v| Fiber.yield k, v }; :end }
p f.resume, f.resume, f.resume # => [:a, 1]
# => [:b, 2]
# => :end

f = Fiber.new { "abc".gsub(/b/) { Fiber.yield $~[0] } }
p f.resume, f.resume("X") # => "b"
# => "aXc"

class Shown
  def inspect = Fiber.yield(:inspecting)
  def ==(other) = Fiber.yield(:comparing)
  def hash = Fiber.yield(:hashing)
  def method_missing(name, ...) = Fiber.yield(name)
  def respond_to_missing?(...) = true
  def <=>(other) = Fiber.yield(:ordering)
  def coerce(other) = Fiber.yield(:coercing)
  def to_str = Fiber.yield(:converting)
end

def run(*answers)
  f = Fiber.new { yield }
  out = [f.resume]
  out << f.resume(answers.shift) while f.alive? && !answers.empty?
  out
end

p run("shown") { [Shown.new].inspect } # => [:inspecting, "[shown]"]
p run(true) { [1] == [1] && [Shown.new].include?(5) } # => [:comparing, true]
p run(7) { {Shown.new => 1}.size } # => [:hashing, 1]
p run(9) { Shown.new.anything(1) } # => [:anything, 9]
p run(-1) { [Shown.new, Shown.new].min.class } # => [:ordering, Shown]
p run([2, 3]) { 1 + Shown.new } # => [:coercing, 5]
p run("b") { "a" + Shown.new } # => [:converting, "ab"]
p run(:x) { [1, 2].each_slice(2).map { |a| Fiber.yield a } } # => [[1, 2], [:x]]
p run(1) { Class.new { define_method(:initialize) { Fiber.yield :new } }.new.class.class } # => [:new, Class]
p run(1) { instance_eval { Fiber.yield :eval } } # => [:eval, 1]
p run(1) { eval("Fiber.yield :string") } # => [:string, 1]
p run(2) { 3.times.map { |i| i }.sort { |a, b| Fiber.yield(a) if false; a <=> b }; [Fiber.yield(:in)].first } # => [:in, 2]
p run(1) { begin; 5; ensure; Fiber.yield :ensure; end } # => [:ensure, 5]
p run(1) { lambda(&:itself).call(Fiber.yield(:proc)) } # => [:proc, 1]
p run(1) { [5].public_send(:each) { |x| Fiber.yield x } } # => [5, [5]]

# Deep calls take chunks of the stack, and give them back.
def deep(n) = n == 0 ? Fiber.yield(:deep) : deep(n - 1) + 1
f = Fiber.new { deep(3000) + deep(5) + deep(3000) }
p f.resume, f.resume(0), f.resume(0), f.resume(0) # => :deep
# => :deep
# => :deep
# => 6005

# Running off the stack, Ruby's or the machine's, raises.
def endless(n) = endless(n + 1)
class Endless
  def inspect = [Endless.new].inspect
  def to_str = "#{[self].inspect}"
end
p Fiber.new { begin; endless(0); rescue SystemStackError => e; e.message; end }.resume # => "stack level too deep"
p Fiber.new { begin; Endless.new.inspect; rescue SystemStackError => e; e.message; end }.resume # => "stack level too deep"

# Many of them, suspended in native methods and not, resumed in any order and dropped.
fibers = Array.new(300) do |i|
  case i % 3
  when 0 then Fiber.new { "a".each_char { |c| Fiber.yield i; break "b" * 3 } }
  when 1 then Fiber.new { local = "s#{i}"; Fiber.yield i; local + "x" }
  else Fiber.new { [i].sort_by { |x| local = [x]; Fiber.yield i; local.first } }
  end
end
p fibers.sum(&:resume) # => 44850
GC.start
fibers.select!.with_index { |_, i| i % 2 == 0 }
GC.start
p fibers.reverse.map(&:resume).reverse.first(4) # => ["bbb", [2], "s4x", "bbb"]

at_exit do
  f = Fiber.new { [1].each { |x| Fiber.yield x } }
  p f.resume
end
f = Fiber.new { begin; Fiber.yield; ensure; puts "not run at the end"; end }
f.resume
# => 1
# parallel: no, at_exit runs when the process ends
