# A collection that checks the heap, also while other threads and Ractors run and in a forked process.
Warning[:experimental] = false
p GC.verify_internal_consistency # => nil
busy = Array.new(2) { Thread.new { 300.times.map { |i| [i.to_s, { i => nil }] }.size } }
3.times { GC.verify_internal_consistency }
p busy.map(&:value) # => [300, 300]
ractors = Array.new(2) { |n| Ractor.new(n) { |n| 50.times { |i| "#{n}-#{i}" } } }
_, status = Process.wait2(fork { GC.verify_internal_consistency })
p status.success?, ractors.map(&:value) # => true
# => [50, 50]
