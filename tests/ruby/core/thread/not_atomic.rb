# What is more than one call is not one step: two threads are made to meet in the middle.
ask = Queue.new
answer = Queue.new
slow = lambda do |name|
  ask << name
  answer.pop
  name
end

h = {}
first = Thread.new { h[:k] ||= slow.(:first) }
ask.pop
h[:k] ||= :second
answer << true
first.join
p h[:k] # => :first

made = []
h = Hash.new { |hash, k| made << k; hash[k] = slow.(made.size) }
first = Thread.new { h[:k] }
ask.pop
second = Thread.new { h[:k] }
ask.pop
2.times { answer << true }
[first, second].each(&:join)
p made.size, h.size # => 2
# => 1

@x = 0
first = Thread.new { @x += slow.(1) }
ask.pop
@x += 10
answer << true
first.join
p @x # => 1
