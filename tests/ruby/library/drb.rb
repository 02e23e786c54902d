# dRuby from the installed library: over TCP and UNIX sockets, between processes and between VMs.
begin
  require "drb"
  require "drb/unix"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "rbconfig"
require "tmpdir"

SERVER = <<'RUBY'
require "drb"
require "drb/unix"
class Front
  class Own; def initialize = @a = 1; end
  class Cursor
    include DRbUndumped
    def initialize = @at = 0
    def next = @at += 1
  end
  def add(*numbers, by: 0) = numbers.sum + by
  def each_pair; yield 1, :a; yield 2, :b; :done; end
  def boom = raise(IndexError, "no such thing")
  # What clients refer to lives as long as the server keeps it.
  def cursor = @cursor = Cursor.new
  def next_of(cursor) = cursor.next
  def greet(whom) = "hello #{whom.name}"
  def own = Own.new
  def nothing = nil
  def list = [1, "two", :three, 4.0, nil, { five: [6] }]
  def stop = DRb.stop_service
  private def secret = 1
end
RUBY

class Caller
  include DRbUndumped
  def name = "caller"
end

def check(uri)
  front = DRbObject.new_with_uri(uri)
  p front.add(1, 2, 3), front.add(1, by: 5)
  p front.list, front.nothing
  seen = []
  p front.each_pair { |n, name| seen << [n, name] }, seen
  begin
    front.boom
  rescue IndexError => e
    p e.message, e.backtrace.first.start_with?("(#{uri})")
  end
  cursor = front.cursor
  p cursor.class, cursor.next, cursor.next, front.next_of(cursor)
  p front.greet(Caller.new)
  own = front.own
  p own.class
  begin
    front.secret
  rescue NoMethodError => e
    p e.message[/\Aprivate method .secret/]
  end
  p front.respond_to?(:add), front.respond_to?(:subtract)
  p Array.new(4) { |i| Thread.new { Array.new(20) { |n| front.add(i, n) }.sum } }.sum(&:value)
  front.stop
  begin
    front.add(1)
  rescue DRb::DRbConnError => e
    p e.class
  end
end

DRb.start_service("druby://127.0.0.1:0")

# A process.
out, child_out = IO.pipe
child_in, alive = IO.pipe
pid = spawn(RbConfig.ruby, "-e", SERVER + <<'RUBY', in: child_in, out: child_out)
# It does not outlive this program.
Thread.new { $stdin.read; exit! }
DRb.start_service("druby://127.0.0.1:0", Front.new)
$stdout.puts DRb.uri
$stdout.flush
DRb.thread.join
RUBY
child_out.close
child_in.close
check(out.gets.chomp)
# => 6
# => 6
# => [1, "two", :three, 4.0, nil, {five: [6]}]
# => nil
# => :done
# => [[1, :a], [2, :b]]
# => "no such thing"
# => true
# => DRb::DRbObject
# => 1
# => 2
# => 3
# => "hello caller"
# => DRb::DRbUnknown
# => "private method `secret"
# => true
# => false
# => 880
# => DRb::DRbConnError
p Process.wait2(pid)[1].success? # => true
alive.close

# A VM, over a UNIX socket.
path = File.join(Dir.mktmpdir, "socket")
ready = RubyVM::Channel.new
vm = RubyVM.new("server", source: SERVER + <<'RUBY').start(path, ready)
path, ready = RubyVM::ARGV
DRb.start_service("drbunix:#{path}", Front.new)
ready << DRb.uri
DRb.thread.join
:ended
RUBY
check(ready.recv)
# => 6
# => 6
# => [1, "two", :three, 4.0, nil, {five: [6]}]
# => nil
# => :done
# => [[1, :a], [2, :b]]
# => "no such thing"
# => true
# => DRb::DRbObject
# => 1
# => 2
# => 3
# => "hello caller"
# => DRb::DRbUnknown
# => "private method `secret"
# => true
# => false
# => 880
# => DRb::DRbConnError
p vm.value # => :ended
p File.exist?(path) # => false
Dir.rmdir(File.dirname(path))

# A thread of this program: the call does not leave it.
here = DRb::DRbServer.new("druby://127.0.0.1:0", { "x" => 1 })
p DRbObject.new_with_uri(here.uri)["x"] # => 1
here.stop_service

# The rest of the library.
require "drb/acl"
require "drb/gw"
require "drb/observer"
require "drb/timeridconv"
require "drb/weakidconv"
p ACL.new(%w[deny all allow 127.0.0.1]).allow_addr?(["AF_INET", 1, "x", "127.0.0.1"]) # => true
DRb.stop_service
DRb.install_id_conv(DRb::WeakIdConv.new)
kept = Object.new
conv = DRb::WeakIdConv.new
p conv.to_obj(conv.to_id(kept)).equal?(kept) # => true
