# args: --race-report
# parallel: no, the report is the whole VM's
# Threads of a pool, one behind the other.
jobs = Queue.new
results = Queue.new
workers = 3.times.map { Thread.new { while (job = jobs.pop) do job[:n] *= 2; results << job end } }
10.times { |i| jobs << { n: i } }
p 10.times.sum { results.pop[:n] } # => 90
3.times { jobs << nil }
workers.each(&:join)
