# puts, print and p, to objects other than IO too.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

class Collect
  attr_reader :all
  def initialize = @all = []
  def write(*parts)
    @all.concat(parts.map(&:to_s))
    parts.sum { |x| x.to_s.size }
  end
end
def collect
  $stdout = out = Collect.new
  yield
  $stdout = STDOUT
  out.all.join
end
e { collect { puts } } # => "\n"
e { collect { puts "a", "b\n", [1, [nil, [:c]]], [] } } # => "a\nb\n1\n\nc\n"
e { a = ["x"]; a << a; collect { puts a } } # => "x\n[...]\n"
e { collect { puts "", ["a\n", ""] } } # => "\na\n\n"
e { collect { print "a", 1, nil } } # => "a1"
e { collect { p; p 1; p 2, "x" } } # => "1\n2\n\"x\"\n"
e { collect { putc "xy"; putc 65 } } # => "xA"
e { collect { $stdout << 1 rescue $stdout.write("no <<") } } # => "no <<"
e { collect { 5.display; :x.display } } # => "5x"
e { $stdout = 1 } # => [TypeError, "$stdout must have write method, Integer given"]
e { [p, (p)] } # => [nil, nil]
e { [$stdout.fileno, $stderr.sync, STDIN.fileno, $stdout.inspect, $stdin.inspect] } # => [1, true, 0, "#<IO:<STDOUT>>", "#<IO:<STDIN>>"]
e { $, = 1 } # => [TypeError, "value of $, must be String"]
e { $/ = 1 } # => [TypeError, "value of $/ must be String"]
# parallel: no, it looks at the process's standard streams
