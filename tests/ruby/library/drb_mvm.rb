# dRuby between VMs through channels: `drb+mvm://ID`.
begin
  require "drb/mvm"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end

channel = RubyVM::Channel.new
vm = RubyVM.new("database") do |channel|
  require "drb/mvm"
  class Front
    class Own; end
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
    def own = Own.new
    def list = [1, "two", :three, 4.0, nil, { five: [6] }, 2**100]
    def change(text) = text << "!"
    def call(block) = block.call(20)
    def read(io) = io.gets
    def marked = "plain".dup.tap { |s| s.instance_variable_set(:@mark, 1) }
    def special = @special = "special".dup.tap { |s| def s.shout = upcase }
    def stop = DRb.stop_service
    def sleep_long = sleep
    private def secret = 1
  end
  DRb.start_service("drb+mvm://#{channel.id}", Front.new)
  channel = nil
  DRb.thread.join
  :ended
end.start(channel)

uri = "drb+mvm://#{channel.id}"
front = DRbObject.new_with_uri(uri)
p DRb.start_service("drb+mvm:").uri.match?(/\Adrb\+mvm:\/\/\d+\z/) # => true
p front.add(1, 2, 3), front.add(1, by: 5)
# => 6
# => 6
p front.list # => [1, "two", :three, 4.0, nil, {five: [6]}, 1267650600228229401496703205376]
text = +"text"
p front.change(text), text
# => "text!"
# => "text"
p front.marked.instance_variable_get(:@mark) # => 1
seen = []
p front.each_pair { |n, name| seen << [n, name] }, seen
# => :done
# => [[1, :a], [2, :b]]
begin
  front.boom
rescue IndexError => e
  p e.message, e.backtrace.first.start_with?("(#{uri})")
  # => "no such thing"
  # => true
end
cursor = front.cursor
p cursor.class, cursor.next, cursor.next, front.next_of(cursor)
# => DRb::DRbObject
# => 1
# => 2
# => 3

# What Marshal refuses is a reference, even if a channel would take it.
p front.call(proc { |n| n + seen.size }) # => 22
p front.special.class, front.special.shout
# => DRb::DRbObject
# => "SPECIAL"
r, w = IO.pipe
w.puts "line"
p front.read(r), r.closed?
# => "line\n"
# => false
own = front.own
p own.class # => DRb::DRbUnknown
begin
  front.secret
rescue NoMethodError => e
  p e.message[/\Aprivate method .secret/] # => "private method `secret"
end
p Array.new(4) { |i| Thread.new { Array.new(50) { |n| front.add(i, n) }.sum } }.sum(&:value) # => 5200

# Another VM knows the service by its address alone.
p RubyVM.new("client") { |uri|
  require "drb/mvm"
  DRbObject.new_with_uri(uri).add(40, 2)
}.start(uri).value # => 42

front.stop
p vm.value # => :ended
begin
  front.add(1)
rescue DRb::DRbConnError => e
  p e.class # => DRb::DRbConnError
end

# Who waits for an answer learns that the VM was killed.
channel = RubyVM::Channel.new
ready = RubyVM::Channel.new
vm = RubyVM.new("sleeper") do |channel, ready|
  require "drb/mvm"
  sleeper = Object.new
  sleeper.define_singleton_method(:wait) { ready << :called; sleep }
  DRb.start_service("drb+mvm://#{channel.id}", sleeper)
  ready << :ready
  sleep
end.start(channel, ready)
ready.recv
waiting = Thread.new do
  DRbObject.new_with_uri("drb+mvm://#{channel.id}").wait
rescue DRb::DRbConnError => e
  e.class
end
p ready.recv # => :called
vm.kill
p waiting.value # => DRb::DRbConnError
vm.join

# Addresses of nobody.
begin
  DRbObject.new_with_uri("drb+mvm://999999999").x
rescue DRb::DRbConnError => e
  p e.message # => "drb+mvm://999999999 - there is no channel 999999999"
end
begin
  DRb.start_service("drb+mvm://nowhere")
rescue DRb::DRbBadURI => e
  p e.message # => "can't parse uri:drb+mvm://nowhere"
end
p DRbObject.new_with_uri("#{uri}?name").__drbref.to_s # => "name"
