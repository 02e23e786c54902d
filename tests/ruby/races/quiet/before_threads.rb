# args: --race-report
# parallel: no, the report is the whole VM's
# What the first thread has done before there was another one comes before all that the others do.
list = Array.new(100) { |i| i }
table = { a: 1 }
class Shared
  attr_accessor :value
end
shared = Shared.new
10_000.times { |i| shared.value = i }
table[:b] = 2
list << 100
threads = Array.new(3) { Thread.new { [shared.value, table[:b], list.size].sum } }
p threads.sum(&:value) # => 30306
p shared.value # => 9999
