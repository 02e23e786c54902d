# Ensure clauses run on every way out, and what they do counts last.
def log = @log ||= []

def with_return
  return 1
ensure
  log << :return
end

def override
  return 1
ensure
  return 2
end

def swallow
  raise "lost"
ensure
  return :swallowed
end
p with_return, override, swallow
# => 1
# => 2
# => :swallowed

def loop_exits
  [1, 2, 3].each do |x|
    begin
      next if x == 1
      break if x == 2
    ensure
      log << x
    end
  end
end
loop_exits
p log # => [:return, 1, 2]

def value_is_not_from_ensure
  :body
ensure
  :ensure
end
p value_is_not_from_ensure # => :body

def nested
  begin
    begin
      raise "inner"
    ensure
      log << :inner
    end
  ensure
    log << :outer
  end
rescue => e
  log << e.message
end
log.clear
nested
p log # => [:inner, :outer, "inner"]

def raise_in_ensure
  raise "one"
ensure
  raise "two"
end
begin
  raise_in_ensure
rescue => e
  p e.message, e.cause.message
  # => "two"
  # => "one"
end

def while_ensure
  i = 0
  while i < 3
    begin
      i += 1
      next if i == 1
      break if i == 2
    ensure
      log << i
    end
  end
  i
end
log.clear
p while_ensure, log
# => 2
# => [1, 2]

def with_else
  yield
rescue ArgumentError
  :rescued
else
  raise TypeError, "from else"
ensure
  log << :ensured
end
log.clear
begin
  with_else { 1 }
rescue TypeError => e
  p e.message # => "from else"
end
p with_else { raise ArgumentError }, log
# => :rescued
# => [:ensured, :ensured]

result = begin
  1
ensure
  2
end
p result # => 1
def thrown = catch(:t) { begin; throw :t, 5; ensure; log << :thrown; end }
p thrown, log.last
# => 5
# => :thrown
