# parallel: no, changes all Arrays of the process that are new
# What combinations, permutations, products and `transpose` keep for themselves are Arrays, which ObjectSpace gives. Whoever changes
# those gets other rows, or an exception, and nothing worse.
RUNS = {
  combination: ->(list, &b) { list.combination(3, &b) },
  repeated_combination: ->(list, &b) { list.repeated_combination(2, &b) },
  permutation: ->(list, &b) { list.permutation(3, &b) },
  all: ->(list, &b) { list.permutation(&b) },
  repeated_permutation: ->(list, &b) { list.repeated_permutation(2, &b) },
  product: ->(list, &b) { list.product(list, [8, 9], &b) },
}
WHOLE = {
  product: ->(list) { list.product(list, list) },
  transpose: ->(list) { [list, list.reverse, list].transpose },
  transpose_wide: ->(list) { [list * 500, list * 500].transpose },
}
CHANGES = [
  ->(a) { a.clear },
  ->(a) { a.pop },
  ->(a) { a[0] = "x" },
  ->(a) { a[-1] = -1 unless a.empty? },
  ->(a) { a.fill(2**62) },
  ->(a) { a.fill(2**61) },
  ->(a) { a.fill(1_000_000) },
  ->(a) { a.fill(0.5) },
  ->(a) { a.fill(nil) },
  ->(a) { a.map! { [] } },
  ->(a) { a.map! { 7 } },
  ->(a) { a.reverse! },
  ->(a) { a.concat([0] * 5) if a.size < 8 },
  ->(a) { a.replace([Object.new]) },
  ->(a) { a.unshift(:first) if a.size < 8 },
  ->(a) { a.freeze },
]
KNOWN = {}.compare_by_identity

def remember
  KNOWN.clear
  # The list that `inspect` keeps of what it is in is made now, not later.
  [[]].inspect
  ObjectSpace.each_object(Array) { |a| KNOWN[a] = true }
end

def spoil(change)
  ObjectSpace.each_object(Array) do |a|
    change.(a) if Array === a && !KNOWN.key?(a) && !a.frozen?
  end
end

list = [1, 2, 3, 4, 5]
remember
rounds = 0
raised = {}
RUNS.each_value do |run|
  CHANGES.each do |change|
    # Not what the turns before have left.
    GC.start
    seen = 0
    begin
      run.(list) do |row|
        rounds += 1
        spoil(change) if seen == 1 || seen == 4
        break if (seen += 1) > 8
      end
    rescue => e
      raised[e.class] = true
    end
  end
end
p rounds > CHANGES.size * RUNS.size # => true
p list # => [1, 2, 3, 4, 5]
p raised.keys.difference([FrozenError, TypeError, NoMethodError, IndexError]) # => []

# Another thread does, all the time.
done = false
remember
spoiler = Thread.new do
  spoil(CHANGES.sample) until done
rescue => e
  # The change itself failed: somebody has frozen the Array.
  retry
end
odd = nil
stop = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 0.4
try = lambda do |&work|
  work.()
rescue FrozenError, TypeError, NoMethodError, IndexError, ArgumentError
  # What the thread has changed was noticed.
rescue => e
  odd = e
end
while Process.clock_gettime(Process::CLOCK_MONOTONIC) < stop
  RUNS.each_value do |run|
    count = 0
    try.() { run.(list) { break if (count += 1) > 300 } }
  end
  WHOLE.each_value { |run| try.() { run.(list) } }
end
done = true
spoiler.join
p odd # => nil
# Nothing of that stays.
p [1, 2].product([3]), [1, 2, 3].combination(2).to_a, [[1, 2]].transpose # => [[1, 3], [2, 3]]
# => [[1, 2], [1, 3], [2, 3]]
# => [[1], [2]]
