# Exceptions everywhere: a stack of handlers, retries, ensure clauses, throw and catch, custom hierarchies.
class AppError < StandardError
  attr_reader :code

  def initialize(message = "application error", code: 1)
    super(message)
    @code = code
  end
end

class NetworkError < AppError; end
class Timeout < NetworkError; end
class ParseError < AppError
  def initialize(line) = super("bad line #{line}", code: 7)
end

class Flaky
  attr_reader :attempts

  def initialize(rate)
    @rate = rate
    @attempts = 0
  end

  def call
    @attempts += 1
    raise Timeout.new("slow", code: 3) if @attempts % @rate == 1
    raise NetworkError, "reset" if @attempts % @rate == 2
    @attempts
  end
end

def with_retries(limit)
  tries = 0
  begin
    tries += 1
    yield
  rescue Timeout
    retry if tries < limit
    raise
  rescue NetworkError => error
    raise AppError.new("gave up: #{error.message}", code: error.code + 10) if tries >= limit
    retry
  end
end

def deep(n, log)
  raise ArgumentError, "bottom" if n.zero?
  begin
    deep(n - 1, log)
  ensure
    log[0] += 1
  end
end

def parse(line)
  key, value = line.split("=", 2)
  raise ParseError.new(line) if value.nil?
  [key.strip.to_sym, Integer(value)]
rescue ArgumentError => error
  raise ParseError.new("#{line} (#{error.class})")
end

def nested
  yield
rescue ZeroDivisionError
  :zero
rescue TypeError, NoMethodError => error
  [:type, error.class]
else
  :fine
ensure
  @ensured = (@ensured || 0) + 1
end

def find_pair(target)
  catch(:found) do
    (1..60).each do |a|
      (a..60).each { |b| throw :found, [a, b] if a * b == target }
    end
    nil
  end
end

results = Hash.new(0)
flaky = Flaky.new(5)
150_000.times do
  with_retries(3) { flaky.call }
  results[:good] += 1
rescue AppError => error
  results["#{error.class} #{error.message} #{error.code}"] += 1
end
results.each { |what, n| puts "#{what}: #{n}" }
puts flaky.attempts

log = [0]
2500.times do
  deep(40, log)
rescue ArgumentError
  log[0] += 1
end
puts log[0]

lines = ["a = 1", "b= 22", "nothing", "c=x", "d = 0x1f", "e = 1_000", "= 5", "f="]
outcomes = Hash.new(0)
20_000.times do |i|
  key, value = parse(lines[i % lines.size])
  outcomes[[key, value]] += 1
rescue ParseError => error
  outcomes["#{error.message} <- #{error.cause&.class.inspect}"] += 1
end
outcomes.each { |what, n| puts "#{what.is_a?(Array) ? what.join("=") : what}: #{n}" }

kinds = Hash.new(0)
160_000.times do |i|
  kinds[nested { i % 3 == 0 ? 1 / (i % 2) : i % 5 == 0 ? Integer([]) : i % 7 == 0 ? nil.missing : i }] += 1
end
kinds.each { |kind, n| puts "#{Array(kind).join(" ")}: #{n}" }
puts @ensured

puts (1..500).map { |i| find_pair(i * 3) }.compact.size
puts find_pair(3481).inspect, find_pair(61).inspect

stack = []
begin
  begin
    raise "first"
  rescue => error
    raise TypeError, "second"
  ensure
    stack << :inner
  end
rescue => error
  stack << error.message << error.cause.message << error.cause.cause.inspect
end
puts stack.inspect

def early(n)
  [1, 2, 3].each do |x|
    begin
      return x if x == n
    ensure
      @left = (@left || 0) + x
    end
  end
  :none
end
60_000.times { |i| early(i % 5) }
puts @left
value = 80_000.times.sum { |i| Integer((i % 10 == 0 ? "x" : i).to_s, exception: false) || 0 }
puts value
puts (Float("1.5x") rescue "rescued"), (raise "inline" rescue $!.message)
