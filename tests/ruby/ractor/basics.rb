# A Ractor, its arguments, its value, its name, and what `inspect` shows.
# parallel: no, the main Ractor has one default port
Warning[:experimental] = false

r = Ractor.new(1, [2, "x"], name: "first") { |a, b| [a, b, self.class, name] }
p r.value # => [1, [2, "x"], Ractor, "first"]
p r.value # => [1, [2, "x"], Ractor, "first"]
p r.name # => "first"
sleep 0.01 until r.inspect.end_with?("terminated>")
p r.inspect.sub(/first .*:/, "first FILE:") # => "#<Ractor:#2 first FILE:5 terminated>"
p Ractor.current.inspect # => "#<Ractor:#1 running>"
p Ractor.main == Ractor.current # => true
p Ractor.main?, Ractor.new { Ractor.main? }.value # => true
# => false
p Ractor.new { Ractor.main == Ractor.current }.value # => false

# Its block has no self but the Ractor, and its threads are its own.
r = Ractor.new { [object_id, Thread.current == Thread.main, Thread.list.size, Thread.current.group.list.size] }
p r.value == [r.object_id, true, 1, 1] # => true
p Thread.main == Thread.current # => true

begin
  Ractor.new
rescue ArgumentError => e
  puts e.message # => must be called with a block
end
begin
  Ractor.new(name: [1]) {}
rescue TypeError => e
  puts e.message # => no implicit conversion of Array into String
end
begin
  Ractor.allocate
rescue TypeError => e
  puts e.message # => allocator undefined for Ractor
end

# What ends it is the cause of an error at who asks for its value.
r = Ractor.new { Thread.current.report_on_exception = false; raise "oh" }
[:join, :value].each do |how|
  r.public_send(how)
rescue Ractor::RemoteError => e
  p [e.message, e.ractor == r, e.cause] # => ["thrown by remote Ractor.", true, #<RuntimeError: oh>]
  # => ["thrown by remote Ractor.", true, #<RuntimeError: oh>]
end
begin
  Ractor.new { exit 3 }.value
rescue Ractor::RemoteError => e
  p [e.cause.class, e.cause.status] # => [SystemExit, 3]
end
p Ractor.new { t = Thread.current; Thread.new { t.kill }.join; 1 }.value # => nil

# Only one other Ractor gets the value.
r = Ractor.new { [1] }
p Ractor.new(r) { |r| r.value }.value # => [1]
begin
  r.value
rescue Ractor::Error => e
  puts e.message # => Only the successor ractor can take a value
end

# Its other threads end with it, with their ensure clauses.
Ractor.new(Ractor.current) do |main|
  q = Queue.new
  Thread.new do
    q << 1
    loop {}
  ensure
    main << :ended
  end
  Thread.new do
    q << 1
    sleep
  ensure
    main << :ended
  end
  2.times { q.pop }
end
p [Ractor.receive, Ractor.receive] # => [:ended, :ended]

# Storage.
Ractor[:a] = 1
p Ractor.new { [Ractor[:a], Ractor[:a] = 2, Ractor[:a], self[:a]] }.value # => [nil, 2, 2, 2]
p Ractor[:a] # => 1
p Ractor.store_if_absent(:b) { |x| [x] } # => [nil]
p Ractor.store_if_absent(:b) { 5 } # => [nil]
puts Ractor.new { Ractor.main[:a] rescue $!.message }.value # => Cannot get ractor local storage for non-current ractor
p Ractor.new { 8.times.map { |i| Thread.new { Ractor.store_if_absent(:k) { i } } }.map(&:value).uniq.size }.value # => 1
Fiber[:x] = 1
p Ractor.new { Fiber[:x] }.value # => nil
p Ractor.new { Ractor.require("set"); require "json"; JSON.generate([1]) }.value # => "[1]"
sleep 0.01 until Ractor.count == 1
p Ractor.count # => 1
