# args: --race-report
# parallel: no, the report is the whole VM's
# What comes out of a Queue was given away.
Item = Struct.new(:n)
queue = Queue.new
taker = Thread.new { sum = 0; while (item = queue.pop) do item.n += 1; sum += item.n end; sum }
5.times { |i| item = Item.new(i); item.n += 1; queue << item }
queue << nil
p taker.value # => 20
