# What stays inside a VM, one thing after the other: the other VM does it, and this one looks.
# parallel: no, it looks at things that a VM has once

def other(*arguments, &block) = RubyVM.new("other", &block).start(*arguments).value

# Reopened classes, frozen ones, constants, class variables, methods of the top level.
other do
  class Array
    def sum(*) = :other
    @@shared = 1
  end
  class String
    remove_method :upcase
  end
  Comparable.freeze
  Object.__send__(:remove_const, :Math)
  def helper = 1
  :done
end
p [1, 2].sum, "a".upcase, Comparable.frozen?, Math.sqrt(4), Array.class_variables, respond_to?(:helper, true)
# => 3
# => "A"
# => false
# => 2.0
# => []
# => false

# Random numbers.
srand(7)
expected = Array.new(3) { rand(1000) }
srand(7)
first = rand(1000)
other { srand(7); 100.times { rand }; Random.new_seed }
p [first, rand(1000), rand(1000)] == expected # => true
p other { srand(7); Array.new(3) { rand(1000) } } == expected # => true

# Exit handlers run at the end of their VM.
order = RubyVM::Channel.new
other(order) { |order| at_exit { order << :exit }; order << :body }
p order.recv, order.recv
# => :body
# => :exit

# Encodings.
other { Encoding.default_external = "Shift_JIS"; Encoding.default_internal = "EUC-JP"; 1 }
p Encoding.default_external, Encoding.default_internal
# => #<Encoding:UTF-8>
# => nil

# Warnings.
other { $VERBOSE = true; Warning[:experimental] = false; def Warning.warn(*) = raise("never"); 1 }
p $VERBOSE, Warning[:experimental], Warning.respond_to?(:never)
# => false
# => true
# => false

# The load path and what was loaded.
p other { $LOAD_PATH.unshift("/nowhere"); require "strscan"; StringScanner.new("a").scan(/a/) } # => "a"
p $LOAD_PATH.include?("/nowhere"), $LOADED_FEATURES.include?("strscan.so"), defined?(StringScanner)
# => false
# => false
# => nil

# Objects and collections.
class Mark; end
marks = Array.new(3) { Mark.new }
p other { ObjectSpace.each_object(Class).count { |c| c.name == "Mark" } } # => 0
collections = GC.count
p other { 5.times { GC.start }; GC.count >= 5 } # => true
p GC.count - collections < 5 || GC.stress # => true
p ObjectSpace.each_object(Mark).count == marks.size # => true

# The environment, also for processes that are started.
ENV["OURS"] = "1"
p other { ENV["OURS"] = "2"; ENV["THEIRS"] = "3"; `echo $OURS $THEIRS` } # => "2 3\n"
p ENV["OURS"], ENV["THEIRS"], `echo $OURS`
# => "1"
# => nil
# => "1\n"

# Standard streams and variables.
other { $stdout = File.open(File::NULL, "w"); $stdin = nil rescue 0; $0 = "other"; $PROGRAM_NAME }
other { $/ = "x" rescue 0; $, = nil; $~ = nil; $_ = "line"; $! }
p $stdout.equal?(STDOUT), $stdin.equal?(STDIN), $0 == "other", $/
# => true
# => true
# => false
# => "\n"

# Threads and what they know.
Thread.current[:mine] = 1
p other { Thread.current[:mine] = 2; [Thread.list.size, Thread.main == Thread.current] } # => [1, true]
p Thread.current[:mine] # => 1
other { Thread.abort_on_exception = true }
p Thread.abort_on_exception # => false
