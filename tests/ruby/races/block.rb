# parallel: no, the report is the whole VM's
# RubyVM.races looks for races while its block runs, also in code that was compiled before and in threads that were there.
def count(n) = n.times { $total += 1 }

$total = 0
count(GC.stress ? 10 : 3000)
orders, answers = Queue.new, Queue.new
old = Thread.new { while orders.pop do $total += 1; answers << :done end }

found = RubyVM.races do
  # A thread that waited begins to note what it does at its next call or loop.
  3.times { orders << :add; answers.pop }
  orders << :add
  count(3)
  answers.pop
end
p found.map { |race| race[:what] } # => ["$total"]
found[0][:accesses].each do |access|
  p access.keys # => [:kind, :thread, :place, :backtrace]
# => [:kind, :thread, :place, :backtrace]
end
p found[0][:accesses].map { |access| File.basename(access[:place]) }.sort # => ["block.rb:3", "block.rb:8"]
p found[0][:accesses].map { |access| access[:thread] }.include?("the main thread") # => true
p found[0][:accesses].map { |access| access[:backtrace][0][/:in .*/] }.sort.last # => ":in 'block in Object#count'"

quiet = RubyVM.races do
  3.times { orders << :add; answers.pop }
  orders << :add
  answers.pop
  count(3)
end
p quiet # => []

begin
  RubyVM.races { RubyVM.races { } }
rescue RuntimeError => e
  p e.message # => "races are looked for already"
end
begin
  RubyVM.races
rescue ArgumentError => e
  p e.message # => "no block given"
end
p RubyVM.races { $total += 1 } # => []
orders << nil
old.join
