# A mask of `Thread.handle_interrupt` holds for what a thread raises into itself, too: it comes when the mask lets it through.
class Stop < StandardError; end

steps = []
thread = Thread.new do
  Thread.handle_interrupt(Stop => :on_blocking) do
    Thread.current.raise Stop, "later"
    steps << :goes_on
    sleep
  rescue Stop => e
    steps << e.message
  end
end
thread.join
p steps # => [:goes_on, "later"]

steps = []
begin
  Thread.handle_interrupt(Stop => :never) do
    Thread.current.raise Stop, "behind"
    steps << Thread.pending_interrupt?
  end
rescue Stop => e
  steps << e.message
end
p steps # => [true, "behind"]

# What no mask is for comes at once.
steps = []
Thread.handle_interrupt(Stop => :never) do
  Thread.current.raise ArgumentError, "now"
rescue ArgumentError => e
  steps << e.message
end
p steps # => ["now"]

# To write is a blocking operation: what was raised comes before anything is written. `p` writes in any case.
reader, writer = IO.pipe
ready = Queue.new
waits = true
thread = Thread.new do
  Thread.current.report_on_exception = false
  Thread.handle_interrupt(Stop => :on_blocking) do
    ready << true
    Thread.pass while waits
    writer.puts "written"
  end
end
ready.pop
thread.raise Stop
waits = false
p((thread.value rescue $!.class)) # => Stop
writer.close
p reader.read # => ""
