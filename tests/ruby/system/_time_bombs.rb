# What is asked to end does so wherever it is: in loops, in long operations of the core and of the libraries, in waits.
if GC.stress
  puts "skipped: a collection at every allocation takes hours here"
  exit
end

# Where nothing else runs it is 100 ms: this is for debug builds beside other work, and less than what goes on for ever.
MOST_TIME = 30

# Runs each program in a VM that is killed after a moment and in one whose time is limited, and
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
    vm.kill
    begin
      vm.join(MOST_TIME) or puts "#{name}: cannot be killed"
    rescue RubyVM::Error
      # As it should.
    end

    vm = RubyVM.new("bomb", source: source, time_limit: 0.1)
    begin
      puts "#{name}: goes on behind its time limit" unless vm.start.join(MOST_TIME)
    rescue RubyVM::Error => e
      puts "#{name}: #{e.message}" unless e.message.include?("time limit")
    end
    vm.kill
  end
  puts "done"
end
