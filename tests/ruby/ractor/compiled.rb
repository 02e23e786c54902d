# Compiled code asks what a Ractor may read and call: each of these is hot before a Ractor runs it, and after.
# parallel: no, it names its constants
Warning[:experimental] = false
Thread.report_on_exception = false

class C
  BAD = [+"x"]
  GOOD = [1].freeze
  @own = +"own"
  @shared = 5
  @@own = +"own"
  text = +"captured"
  define_method(:closure) { text.size }
  define_method(:with) { |a, b = 2| a + b + text.size }
  define_method(:free, &Ractor.shareable_proc { 7 })
  class << self
    attr_accessor :own, :shared
    def bad = BAD.size
    def good = GOOD.size
    def read = @own.size
    def read_shared = @shared
    def write = @shared = 5
    def cvar = @@own.size
    def global = $global
    def close(c) = c.closure
    def close_with(c) = c.with(1)
    def free(c) = c.free
    def attr = own.size
    def attr_shared = shared
    def attr_write = self.shared = 5
  end
end
$global = 3
CALLS = %i[bad good read read_shared write cvar global close close_with free attr attr_shared attr_write].freeze

def run(name)
  c = C.new
  args = %i[close close_with free].include?(name) ? [c] : []
  i = 0
  result = nil
  while i < 3000
    result = C.send(name, *args)
    i += 1
  end
  result
rescue => e
  [i, e.class.name, e.message[/\A.{40}/]]
end

expected = CALLS.map { |name| run(name) }
p expected # => [1, 1, 3, 5, 5, 3, 3, 8, 11, 7, 3, 5, 5]
first = Ractor.new { CALLS.map { |name| run(name) } }.value
puts first.map(&:inspect)
# => [0, "Ractor::IsolationError", "can not access non-shareable objects in "]
# => 1
# => [0, "Ractor::IsolationError", "can not get unshareable values from inst"]
# => 5
# => [0, "Ractor::IsolationError", "can not set instance variables of classe"]
# => [0, "Ractor::IsolationError", "can not access class variables from non-"]
# => [0, "Ractor::IsolationError", "can not access global variable $global f"]
# => [0, "RuntimeError", "defined with an un-shareable Proc in a d"]
# => [0, "RuntimeError", "defined with an un-shareable Proc in a d"]
# => 7
# => [0, "Ractor::IsolationError", "can not get unshareable values from inst"]
# => 5
# => [0, "Ractor::IsolationError", "can not set instance variables of classe"]
p CALLS.map { |name| run(name) } == expected # => true
again = Array.new(2) { Ractor.new { Array.new(3) { CALLS.map { |name| run(name) } } } }
p CALLS.map { |name| run(name) } == expected # => true
p again.flat_map(&:value).uniq == [first] # => true
p CALLS.map { |name| run(name) } == expected # => true
