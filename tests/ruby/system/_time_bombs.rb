# What is asked to end does so wherever it is: in loops, in long operations of the core and of the libraries, in waits.
if GC.stress
  puts "skipped: a collection at every allocation takes hours here"
  exit
end

# In release builds on a machine without other work it is 100 ms; tests run in debug builds and beside others.
MOST_TIME = 3

def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

# Runs each program in a VM that is killed after a moment, in one whose time is limited, and in a Thread that is killed, and
# says what went on.
def stop_bombs(bombs)
  bombs.each do |name, source|
    vm = RubyVM.new("bomb", source: source).start
    ended = begin
      vm.join(0.15)
    rescue RubyVM::Error, StandardError, SyntaxError => e
      e
    end
    puts "#{name}: ended by itself: #{ended.inspect[0, 200]}" if ended
    begun = now
    vm.kill
    begin
      vm.join(20) or puts "#{name}: cannot be killed"
    rescue RubyVM::Error
      # As it should.
    end
    puts "#{name}: #{now - begun} s until it was killed" if now - begun > MOST_TIME

    vm = RubyVM.new("bomb", source: source, time_limit: 0.1)
    begun = now
    begin
      vm.start.join(20)
      puts "#{name}: goes on behind its time limit"
    rescue RubyVM::Error => e
      puts "#{name}: #{e.message}" unless e.message.include?("time limit")
    end
    puts "#{name}: #{now - begun} s with a time limit" if now - begun > MOST_TIME
    vm.kill
  end
  puts "done"
end
