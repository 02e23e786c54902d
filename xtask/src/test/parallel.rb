# Runs one Ruby test in several threads of this process at once: parallel.rb THREADS FOLDER FILE [ARGUMENT…]
#
# Each thread loads the file into a module of its own and writes what it printed, what it printed on stderr
# and how it ended to FOLDER/N.out, N.err and N.status. A thread and those it starts are a ThreadGroup, which is how
# their output is told from that of the others.

require "stringio"

threads = Integer(ARGV.shift)
folder = ARGV.shift
file = File.expand_path(ARGV.shift)
root = "#{Dir.pwd}/"

# What $stdout or $stderr is: passes everything on to a StringIO of the running ThreadGroup.
class ParallelOutput
  def initialize
    @lock = Mutex.new
    @streams = {}.compare_by_identity
  end

  def own = @lock.synchronize { @streams[Thread.current.group] ||= StringIO.new }
  def write(*texts) = own.write(*texts)
  def method_missing(name, ...) = own.__send__(name, ...)
  def respond_to_missing?(name, all = false) = own.respond_to?(name, all)
  def puts(*) = own.puts(*)
  def print(*) = own.print(*)
end

real = $stderr
out = ParallelOutput.new
err = ParallelOutput.new
$stdout = out
$stderr = err
verbose, $VERBOSE = $VERBOSE, nil
Object.const_set(:STDOUT, out)
Object.const_set(:STDERR, err)
$VERBOSE = verbose

ready = Queue.new
start = Queue.new
workers = Array.new(threads) do |number|
  Thread.new do
    ThreadGroup.new.add(Thread.current)
    around = Object.const_set(:"Parallel#{number}", Module.new)
    Thread.current.report_on_exception = false
    status = 0
    ready << number
    start.pop
    begin
      load(file, around)
    rescue SystemExit => e
      status = e.status
    rescue Exception => e
      status = 1
      $stderr.write(e.full_message(highlight: false, order: :top))
    end
    # As from a script of its own: without the module around it and the folder in front of it.
    { "out" => out.own, "err" => err.own }.each do |suffix, stream|
      text = stream.string.dup.force_encoding(Encoding::BINARY)
      text = text.gsub(/\bParallel\d+::/n, "").gsub(root.b, "".b).gsub("<top (required)>".b, "<main>".b)
      File.binwrite("#{folder}/#{number}.#{suffix}", text)
    end
    File.write("#{folder}/#{number}.status", status.to_s)
  end
end
threads.times { ready.pop }
threads.times { start << true }
workers.each do |worker|
  worker.join
rescue Exception => e
  real.puts e.full_message(highlight: false)
end
exit!(0)
