# Compares servers under load with wrk: requests a second, processor time a request, memory, latency. All are started once and take
# turns, round by round; the figures are medians. Who needs less processor time a request is seen on a busy machine too.
#
# Usage: load.rb [-r ROUNDS] [-s SECONDS] [-c CONNECTIONS] [-t WRK_THREADS] [-l SCRIPT] NAME=COMMAND…
#
# A command is started by the shell with PORT in its environment and has to answer GET /users/1 there.
require "optparse"
require "socket"

options = { r: 3, s: 5, c: 64, t: 1, l: File.join(__dir__, "server/mixed.lua") }
OptionParser.new do |parser|
  %i[r s c t].each { |key| parser.on("-#{key} N", Integer) { |n| options[key] = n } }
  parser.on("-l SCRIPT") { |path| options[:l] = path }
end.parse!
abort "load.rb: no server" if ARGV.empty?

class Server
  TICKS = 100.0
  attr_reader :name, :port

  def initialize(name, command)
    @name = name
    @port = TCPServer.open("127.0.0.1", 0) { |probe| probe.addr[1] }
    @pid = spawn({ "PORT" => @port.to_s, "RACK_ENV" => "production" }, "exec #{command}", pgroup: true, out: File::NULL)
    300.times do
      sleep 0.1
      return if answers?
    end
    abort "#{name} does not answer"
  end

  def answers?
    TCPSocket.open("127.0.0.1", @port) do |socket|
      socket.write("GET /users/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      socket.read.start_with?("HTTP/1.1 200")
    end
  rescue SystemCallError
    false
  end

  # The server's processes: those of its group.
  def pids
    Dir.children("/proc").grep(/\A\d+\z/).select do |pid|
      File.read("/proc/#{pid}/stat")[/\) \S+ \d+ (\d+)/, 1].to_i == @pid
    rescue SystemCallError
      false
    end
  end

  # Processor time in seconds.
  def time
    pids.sum { |pid| File.read("/proc/#{pid}/stat")[/\) (.*)/, 1].split.values_at(11, 12).sum(&:to_i) } / TICKS
  end

  # Megabytes; what processes share is divided among them.
  def memory
    pids.sum { |pid| File.read("/proc/#{pid}/smaps_rollup")[/^Pss:\s+(\d+)/, 1].to_i } / 1024.0
  end

  def stop
    Process.kill(:KILL, -@pid)
    Process.wait(@pid)
  end
end

def median(list) = list.sort[list.size / 2]

def load(server, seconds, options)
  used = server.time
  text = IO.popen(["wrk", "-t#{options[:t]}", "-c#{options[:c]}", "-d#{seconds}s", "-s", options[:l], "--latency",
                   "http://127.0.0.1:#{server.port}/"], &:read)
  used = server.time - used
  count = text[/(\d+) requests in/, 1].to_f
  failed = text[/Non-2xx.*: (\d+)/, 1].to_i + text[/Socket errors: (.*)/, 1].to_s.scan(/\d+/).sum(&:to_i)
  warn "#{server.name}: #{failed} requests have failed" if failed > 0
  { rate: text[/Requests\/sec:\s+([\d.]+)/, 1].to_f, cost: used / count * 1e6, tail: text[/99%\s+(\S+)/, 1] }
end

servers = ARGV.map { |arg| Server.new(*arg.split("=", 2)) }
begin
  servers.each { |server| load(server, [options[:s], 3].max, options) }
  results = Hash.new { |all, server| all[server] = [] }
  options[:r].times { servers.each { |server| results[server] << load(server, options[:s], options) } }
  puts format("%-24s %12s %14s %10s %10s", "server", "requests/s", "CPU µs/request", "99 %", "MB")
  results.each do |server, list|
    puts format("%-24s %12.0f %14.1f %10s %10.1f", server.name, median(list.map { _1[:rate] }), median(list.map { _1[:cost] }),
                list.last[:tail], server.memory)
  end
ensure
  servers.each(&:stop)
end
