# raise, rescue, else, ensure, retry, and the causes of exceptions.
def order(fail)
  print "a "
  raise "boom" if fail
  print "b "
rescue RuntimeError => e
  print e.message, " "
  :rescued
else
  print "else "
  :fine
ensure
  puts "ensure"
end
p order(false)
p order(true)

attempts = 0
begin
  attempts += 1
  raise ArgumentError, "again" if attempts < 3
  p attempts
rescue ArgumentError
  retry
end

class Problem < StandardError
  def initialize(detail = "default detail") = super("problem: #{detail}")
end
begin
  raise Problem
rescue Problem => e
  p e.message
end
begin
  raise Problem, "given"
rescue StandardError => e
  p e.message, e.class
end
begin
  raise Problem.new("made"), "replaced"
rescue Problem => e
  p e.message
end

begin
  begin
    raise "first"
  rescue => e
    raise TypeError, "second"
  end
rescue TypeError => e
  p e.cause.message, e.cause.cause
end

begin
  raise "x", cause: nil
rescue => e
  p e.cause
end

p (Integer("z") rescue "modifier")
begin
  [1, 2].fetch(10)
rescue KeyError, IndexError => e
  p e.class
end

MATCHERS = [TypeError, ZeroDivisionError].freeze
begin
  1 / 0
rescue *MATCHERS => e
  p e.message
end

class Even
  def self.===(error) = error.message.size.even?
end
begin
  raise "four"
rescue Even
  puts "matched by ==="
end

p $!
begin
  raise IOError
rescue => $saved
  p $saved.message, $!.equal?($saved)
end
begin
  raise 1
rescue TypeError => e
  p e.message
end

# => a b else ensure
# => :fine
# => a boom ensure
# => :rescued
# => 3
# => "problem: default detail"
# => "problem: given"
# => Problem
# => "replaced"
# => "first"
# => nil
# => nil
# => "modifier"
# => IndexError
# => "divided by 0"
# => matched by ===
# => nil
# => "IOError"
# => true
# => "exception class/object expected"
