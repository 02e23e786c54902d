# Classes that a VM made from an image does not have before they are needed: whoever looks, finds what boot defines.

def fresh(*arguments, &block)
  2.times { RubyVM.new("before") {}.start.join } unless $warm
  $warm = true
  RubyVM.new("fresh", &block).start(*arguments).value
end

p fresh { Errno::ENOENT.new("x").message } # => "No such file or directory - x"
p fresh { File.open("/no such file") rescue [$!.class.name, $!.class.superclass.name, $!.is_a?(SystemCallError)] } # => ["Errno::ENOENT", "SystemCallError", true]
p fresh { [Errno.constants.include?(:EPIPE), Errno.const_defined?(:EPIPE), Errno::EPIPE::Errno] } # => [true, true, 32]
p fresh { [Errno::EAGAIN.equal?(Errno::EWOULDBLOCK), IO::EAGAINWaitReadable.ancestors.include?(Errno::EAGAIN)] } # => [true, true]
p fresh { [defined?(Math::DomainError), defined?(Math::Nothing), Math::DomainError.name] } # => ["constant", nil, "Math::DomainError"]

# All of them are there for who asks for all, in the order of their definition.
names = -> { SystemCallError.subclasses.map(&:name) }
p names.call.size > 70 # => true
p fresh { SystemCallError.subclasses.map(&:name) } == names.call # => true
p fresh { Errno::EPIPE; mine = Class.new(SystemCallError); Errno::ENOENT; mine.superclass.subclasses.map(&:name) } == [nil, *names.call] # => true
below = -> { ObjectSpace.each_object(Class).count { |c| c < StandardError } }
here = below.call
p fresh { ObjectSpace.each_object(Class).count { |c| c < StandardError } } == here # => true
p fresh { [Errno.constants.size, Encoding.constants.size, IO.constants.sort] } == [Errno.constants.size, Encoding.constants.size, IO.constants.sort] # => true

# They come with whatever happened to what they inherit from.
p fresh {
  class SystemCallError
    def shout = message.upcase
    include(Module.new { def whisper = message.downcase })
  end
  GC.start
  e = Errno::ECHILD.new
  [e.shout, e.whisper]
} # => ["NO CHILD PROCESSES", "no child processes"]

# Constants of such classes can be set, removed and made private first.
p fresh {
  removed = Errno.send(:remove_const, :ENOENT)
  Errno::ENOENT = 7
  Process.private_constant :CLOCK_MONOTONIC
  hidden = (Process::CLOCK_MONOTONIC rescue $!.class)
  File::Stat::LATER = 1
  [removed.name, Errno::ENOENT, hidden, File::Stat.constants.include?(:LATER), Errno.dup::EPERM.equal?(Errno::EPERM)]
} # => ["Errno::ENOENT", 7, NameError, true, true]
p Errno::ENOENT.name # => "Errno::ENOENT"

# One for all threads, and still there after collections.
p fresh {
  go = Queue.new
  threads = Array.new(8) { Thread.new { go.pop; [Errno::EDOM, Errno::ERANGE, File::Stat, Process::Status] } }
  8.times { go << 1 }
  seen = threads.map(&:value).uniq
  10.times { GC.start }
  [seen.size, seen.first.map(&:name), seen.first.map(&:object_id).uniq.size]
} # => [1, ["Errno::EDOM", "Errno::ERANGE", "File::Stat", "Process::Status"], 4]
