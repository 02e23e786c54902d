# args: --lock-stats
# stderr: VM main: locks in
# parallel: no, one trace at a time
# A timeline has as many waits for a Mutex as --lock-stats counts, however often a thread has to sleep for one of them.
require "json"
require "tmpdir"

events = Dir.mktmpdir do |dir|
  RubyVM.trace("#{dir}/t.json") do
    mutex = Mutex.new
    4.times.map do
      Thread.new do
        200.times { |i| mutex.synchronize { i % 10 == 0 ? sleep(0.0001) : Thread.pass } }
      end
    end.each(&:join)
  end
  JSON.parse(File.read("#{dir}/t.json"))["traceEvents"]
end
waits = events.select { |event| event["cat"] == "wait" && event["name"] == "Thread::Mutex" }
counted = RubyVM.locks.find { |lock| lock[:kind].to_s == "mutex" && lock[:site].end_with?("trace_as_lock_stats.rb:10") }
p counted[:parked] > 0 # => true
p waits.size - counted[:parked] # => 0
seconds = waits.sum { |event| event["dur"] } / 1e6
p seconds <= counted[:waited] + 1e-3 && seconds > counted[:waited] * 0.8 # => true
