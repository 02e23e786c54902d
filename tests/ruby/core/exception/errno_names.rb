# Every error of the system has a class; names of other systems stand for no error.
p (1..133).select { |number| SystemCallError.new(number).instance_of?(SystemCallError) } # => [41, 58]
p SystemCallError.new(95).class, Errno::EOPNOTSUPP, Errno::EWOULDBLOCK, Errno::EDEADLOCK # => Errno::ENOTSUP
# => Errno::ENOTSUP
# => Errno::EAGAIN
# => Errno::EDEADLK
p Errno::EHWPOISON::Errno, Errno::ENOTRECOVERABLE.new.message, Errno::EDOOFUS, Errno::ELAST::Errno # => 133
# => "State not recoverable"
# => Errno::NOERROR
# => 0
p IO::EINPROGRESSWaitReadable.ancestors.first(3) # => [IO::EINPROGRESSWaitReadable, IO::WaitReadable, Errno::EINPROGRESS]

# Where a file has data, and where holes.
require "tempfile"
Tempfile.create("holes") do |file|
  file.write("x")
  file.flush
  p file.seek(0, IO::SEEK_DATA), file.pos, file.seek(0, :HOLE), file.pos # => 0
  # => 0
  # => 0
  # => 1
  p((file.seek(5, IO::SEEK_DATA) rescue $!.class), (file.seek(-1, :HOLE) rescue $!.class)) # => Errno::ENXIO
  # => Errno::ENXIO
end
