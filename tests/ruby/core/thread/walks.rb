# Who may add keys while a Hash is walked over, and what a walk hands out.
h = { a: 1, b: 2 }
begin
  h.each { h[:c] = 3 }
rescue RuntimeError => e
  puts e.message # => can't add a new key into hash during iteration
end

# The fibers of the thread walk too.
walk = h.each
walk.next
begin
  h[:c] = 3
rescue RuntimeError => e
  puts e.message # => can't add a new key into hash during iteration
end

# Another thread adds, also so many that the table is another one, and takes away; the walk goes on over what there was.
h = (0...10).to_h { |i| [i, i] }
seen = []
h.each do |k, v|
  if k == 2
    Thread.new do
      100.times { |i| h[:"new#{i}"] = i }
      h.delete(5)
      h[7] = 70
    end.join
  end
  seen << v
end
# Of what was added some may come.
p seen.first(9) # => [0, 1, 2, 3, 4, 6, 70, 8, 9]
puts h.size # => 109

# What the walking thread does itself is seen as ever.
h = (0...6).to_h { |i| [i, i] }
seen = []
h.each do |k, v|
  Thread.new { 50.times { |i| h[[k, i]] = 1 } }.join if k == 1
  h.delete(4) if k == 2
  h[5] = :other if k == 3
  seen << v
end
p seen.first(5) # => [0, 1, 2, 3, :other]

# Two threads that walk at once: each is refused, and only while it walks.
h = { a: 1 }
inside = Queue.new
go = Queue.new
other = Thread.new do
  h.each_key do |key|
    next unless key == :a
    inside << true
    go.pop
    begin
      h[:by_other] = 1
    rescue RuntimeError => e
      puts e.message # => can't add a new key into hash during iteration
    end
  end
  h[:afterwards] = 1
end
inside.pop
h.each_key do |key|
  next unless key == :a
  begin
    h[:by_main] = 1
  rescue RuntimeError => e
    puts e.message # => can't add a new key into hash during iteration
  end
  Thread.new { h[:by_third] = 1 }.join
end
h[:by_main] = 2
go << true
other.join
p h.keys # => [:a, :by_third, :by_main, :afterwards]

# The same is true of Sets, and of methods that only compare.
s = Set[1, 2, 3]
s.each { |x| Thread.new { s << x + 10 }.join if x < 4 }
p s.to_a # => [1, 2, 3, 11, 12, 13]
done = false
readers = Array.new(2) { Thread.new { (s == Set[1]; s.superset?(Set[1]); {}.merge!(h); {}.update(h)) until done } }
500.times { |i| s << i; h[i] = i }
done = true
readers.each(&:join)
puts s.size, h.size # => 500
# => 504

# compare_by_identity, rehash, clear and replace by others end nobody's walk.
%i[compare_by_identity rehash clear].each do |change|
  h = (0...5).to_h { |i| [i, i] }
  seen = []
  h.each { |k, v| Thread.new { h.__send__(change) }.join if k == 1; seen << k }
  p seen # => [0, 1, 2, 3, 4]
  # => [0, 1, 2, 3, 4]
  # => [0, 1]
end

# A walk over an Array: what others append comes once, what they cut off does not come as nil.
a = [1, 2, 3]
seen = []
a.each { |x| Thread.new { a << 4 }.join if x == 1; Thread.new { a.pop(2) }.join if x == 2; seen << x }
p seen # => [1, 2]
