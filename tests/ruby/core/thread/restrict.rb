# args: --restrict=200,300
# parallel: no, it looks at the threads of the process
# --restrict: threads that fight over one lock are on one processor for a while; then, and in what they start, on all.
def processors(task = Process.pid) = File.read("/proc/self/task/#{task}/status")[/^Cpus_allowed_list:\s*(\S+)/, 1]

unless File.readable?("/proc/self/task/#{Process.pid}/status") && processors.match?(/[-,]/)
  puts "skipped: one processor, or none that can be asked for"
  exit
end

ALL = processors
mutex = Mutex.new
ends = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 20
seen = Queue.new
children = Queue.new
fighters = 4.times.map do |number|
  Thread.new do
    until mutex.synchronize { seen.size > 0 } || Process.clock_gettime(Process::CLOCK_MONOTONIC) > ends
      mutex.synchronize { 50.times { |i| i.to_s } }
      list = processors(Thread.current.native_thread_id)
      next if list == ALL

      seen << list
      children << `cat /proc/self/status`[/^Cpus_allowed_list:\s*(\S+)/, 1]
      children << processors(Thread.current.native_thread_id)
      mutex.synchronize { }
      children << Thread.new { processors(Thread.current.native_thread_id) }.value
    end
  end
end
fighters.each(&:join)
p seen.size > 0 && seen.pop.match?(/\A\d+\z/) # => true
p Array.new(3) { children.pop } == [ALL] * 3 # => true

# They get all of them back in time, without having to do anything.
sleeper = Thread.new { Thread.stop }
sleep 0.01 until Dir.children("/proc/self/task").all? { |task| (processors(task) rescue ALL) == ALL }
p sleeper.alive? # => true
