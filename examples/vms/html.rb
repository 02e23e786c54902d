# Workers make a page of each line of an address file: VMs with channels, or processes with pipes and Marshal.
#
# Usage: html.rb vms|processes WORKERS DIVS [LINES]
#
# After "HTML generation" in Sasada et al., 2012, section 6.3.1 (figure 10). With CRuby only the processes run.
require_relative "addresses"
require "rbconfig"

HERE = __dir__

def with_vms(lines, workers, divs)
  # As many lines and pages wait as keep everybody busy.
  todo = RubyVM::Channel.new(64)
  done = RubyVM::Channel.new(64)
  vms = Array.new(workers) do |n|
    RubyVM.new("worker #{n}", source: <<~'RUBY').start(HERE, todo, done, divs)
      here, todo, done, divs = RubyVM::ARGV
      require "#{here}/page"
      todo.each { |line| done << Page.new(line, divs).html }
    RUBY
  end
  feeder = Thread.new do
    lines.each { |line| todo << line }
    todo.close
  end
  bytes = 0
  lines.size.times { bytes += done.recv.bytesize }
  feeder.join
  vms.each(&:join)
  bytes
end

WORKER = <<~'RUBY'
  require File.join(ARGV[0], "page")
  divs = ARGV[1].to_i
  $stdin.binmode
  $stdout.binmode
  until $stdin.eof?
    page = Page.new(Marshal.load($stdin), divs).html
    Marshal.dump(page, $stdout)
    $stdout.flush
  end
RUBY

# A pipe has one reader: each worker has its own two, and the lines go round.
def with_processes(lines, workers, divs)
  pipes = Array.new(workers) do
    theirs_in, input = IO.pipe(binmode: true)
    output, theirs_out = IO.pipe(binmode: true)
    pid = spawn(RbConfig.ruby, "-e", WORKER, HERE, divs.to_s, in: theirs_in, out: theirs_out, close_others: true)
    [theirs_in, theirs_out].each(&:close)
    [pid, input, output]
  end
  feeder = Thread.new do
    lines.each_with_index { |line, n| Marshal.dump(line, pipes[n % workers][1]) }
    pipes.each { |_, input, _| input.close }
  end
  readers = pipes.map do |_, _, output|
    Thread.new do
      bytes = 0
      bytes += Marshal.load(output).bytesize until output.eof?
      bytes
    end
  end
  bytes = readers.sum(&:value)
  feeder.join
  pipes.each { |pid, _, _| Process.wait(pid) }
  bytes
end

if $PROGRAM_NAME == __FILE__
  mode, workers, divs, count = ARGV
  abort "usage: html.rb vms|processes WORKERS DIVS [LINES]" unless %w[vms processes].include?(mode) && divs
  lines = addresses((count || 100_000).to_i)
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  bytes = mode == "vms" ? with_vms(lines, workers.to_i, divs.to_i) : with_processes(lines, workers.to_i, divs.to_i)
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
  puts "#{lines.size} pages, #{bytes} bytes"
  puts format("wall: %.6f", wall)
end
