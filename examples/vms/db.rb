# Front ends ask a database for addresses through dRuby: VMs over channels, or processes over TCP.
#
# Usage: db.rb vms|processes FRONTS [REQUESTS]
#
# After "DB application" in Sasada et al., 2012, section 6.3.2 (figure 11). With CRuby only the processes run.
require "drb"
require "rbconfig"

HERE = __dir__

SERVER = <<~'RUBY'
  require File.join(HERE, "addresses")

  class Database
    def initialize(lines)
      @places = lines.to_h { |line| row = line.split(","); [row[2], row[3..5].join(" ")] }
    end

    def address(code) = @places.fetch(code)
  end

  def database = Database.new(addresses(10_000))
RUBY

FRONT = <<~'RUBY'
  def ask(uri, first, requests)
    database = DRbObject.new_with_uri(uri)
    bytes = 0
    requests.times { |n| bytes += database.address(format("%07d", (first + n) % 10_000 * 37)).bytesize }
    bytes
  end
RUBY

def with_vms(fronts, requests)
  channel = RubyVM::Channel.new
  ready = RubyVM::Channel.new
  db = RubyVM.new("database", source: <<~RUBY).start(HERE, channel, ready)
    require "drb/mvm"
    HERE, channel, ready = RubyVM::ARGV
    #{SERVER}
    server = DRb.start_service("drb+mvm://\#{channel.id}", database)
    ready << server.uri
    DRb.thread.join
  RUBY
  uri = ready.recv
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  vms = Array.new(fronts) do |n|
    RubyVM.new("front #{n}", source: <<~RUBY).start(uri, n * 1000, requests)
      require "drb/mvm"
      #{FRONT}
      ask(*RubyVM::ARGV)
    RUBY
  end
  bytes = vms.sum(&:value)
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
  channel.close
  db.join
  [bytes, wall]
end

def with_processes(fronts, requests)
  output, theirs = IO.pipe
  input, alive = IO.pipe
  db = spawn(RbConfig.ruby, "-e", <<~RUBY, in: input, out: theirs)
    require "drb"
    HERE = #{HERE.dump}
    #{SERVER}
    DRb.start_service("druby://127.0.0.1:0", database)
    puts DRb.uri
    $stdout.flush
    $stdin.read
  RUBY
  [theirs, input].each(&:close)
  uri = output.gets.chomp
  started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  pipes = Array.new(fronts) do |n|
    IO.popen([RbConfig.ruby, "-e", <<~RUBY])
      require "drb"
      #{FRONT}
      puts ask(#{uri.dump}, #{n * 1000}, #{requests})
    RUBY
  end
  bytes = pipes.sum { |pipe| pipe.read.to_i }
  wall = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
  alive.close
  Process.wait(db)
  [bytes, wall]
end

mode, fronts, requests = ARGV
abort "usage: db.rb vms|processes FRONTS [REQUESTS]" unless %w[vms processes].include?(mode) && fronts
requests = (requests || 10_000).to_i
bytes, wall = mode == "vms" ? with_vms(fronts.to_i, requests) : with_processes(fronts.to_i, requests)
puts "#{fronts.to_i * requests} requests, #{bytes} bytes"
puts format("wall: %.6f", wall)
