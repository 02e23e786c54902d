# Whoever waits for the other end of a FIFO can be interrupted.
require "tmpdir"
require "timeout"

Dir.mktmpdir do |dir|
  path = "#{dir}/fifo"
  File.mkfifo(path)
  {
    "reading" => -> { File.open(path) { } },
    "writing" => -> { File.open(path, "w") { } },
    "all" => -> { File.read(path) },
    "number" => -> { IO.sysopen(path) }
  }.each do |name, open|
    begin
      Timeout.timeout(0.05) { open.call }
      puts "#{name}: opened"
    rescue Timeout::Error
      # As it should.
    end
    thread = Thread.new { open.call }
    Thread.pass until thread.stop?
    thread.kill
    puts "#{name}: goes on" unless thread.join(5)
  end
  vm = RubyVM.new("waits", source: "File.read(#{path.dump})").start
  sleep 0.05
  vm.kill
  p vm.join(5) == vm # => true

  # Both ends.
  writer = Thread.new { File.write(path, "through") }
  p File.read(path) # => "through"
  writer.join
end
