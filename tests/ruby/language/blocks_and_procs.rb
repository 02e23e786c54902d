# return, break and next in blocks, procs and lambdas.
def next_in_block = [1, 2, 3].map { |x| next 0 if x == 2; x }
p next_in_block # => [1, 0, 3]

def break_in_block = [1, 2, 3].each { |x| break x * 100 if x == 2 }
p break_in_block # => 200

def return_in_block
  [1, 2, 3].each { |x| return x if x == 2 }
  :not_reached
end
p return_in_block # => 2

def return_in_lambda
  result = -> { return 1 }.call
  result + 1
end
p return_in_lambda # => 2

def return_in_proc
  Proc.new { return :from_proc }.call
  :not_reached
end
p return_in_proc # => :from_proc

def make_proc = Proc.new { return 1 }
begin
  make_proc.call
rescue LocalJumpError => e
  puts e.message, e.reason.inspect
  # => unexpected return
  # => :return
end

begin
  proc { break 1 }.call
rescue LocalJumpError => e
  puts e.reason.inspect # => :break
end

p lambda { |x| break x + 1 }.call(1) # => 2
p lambda { |x| next x + 1 }.call(1) # => 2

add = ->(a, b = 1) { a + b }
p add.(1), add[1, 2], add.call(3), add.lambda?, add.curry.arity
# => 2
# => 3
# => 4
# => true
# => -1
begin
  add.call
rescue ArgumentError => e
  puts e.message # => wrong number of arguments (given 0, expected 1..2)
end
p proc { |a, b| [a, b] }.call([1, 2]), proc { |a, b| [a, b] }.call(1)
# => [1, 2]
# => [1, nil]
p lambda(&add).equal?(add) # => true

compose = method(:Integer) >> ->(x) { x * 2 }
p compose.call("21") # => 42
p (->(x) { x + 1 } << ->(x) { x * 10 }).call(2) # => 21

def ensure_runs
  [1].each do
    begin
      return :returned
    ensure
      puts "ensure" # => ensure
    end
  end
end
p ensure_runs # => :returned
p [3, 1, 2].sort_by { |x| next -x } # => [3, 2, 1]
def explicit_yield_break = (yield; :after)
p(explicit_yield_break { break :broken }) # => :broken
