# Pipes between threads: waiting, interrupting, closing, whole lines.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

def pipe_with_writers
  r, w = IO.pipe
  writers = 8.times.map { |i| Thread.new { 100.times { w.puts i.to_s * 50 } } }
  Thread.new { writers.each(&:join); w.close }
  r.readlines(chomp: true)
end
e { lines = pipe_with_writers; [lines.size, lines.all? { |l| l.size == 50 && l.squeeze.size == 1 }] } # => [800, true]
r, w = IO.pipe
e { t = Thread.new { r.gets }; Thread.pass until t.stop?; t.kill; [t.join(20).class, t.alive?] } # => [Thread, false]
e { t = Thread.new { r.gets rescue $!.message }; Thread.pass until t.stop?; t.raise("wake"); t.value } # => "wake"
e { t = Thread.new { w.write("x" * 1_000_000) rescue $!.message }; Thread.pass until t.stop?; t.raise("w"); t.value } # => "w"
r, w = IO.pipe
e { t = Thread.new { IO.select([r]) }; sleep 0.02; w << "a"; t.value.map(&:size) } # => [1, 0, 0]
e { t = Thread.new { r.read(1); r.read rescue [$!.class, $!.message] }; sleep 0.05; r.close; t.value } # => [IOError, "stream closed in another thread"]
r, w = IO.pipe
e { r.read_nonblock(1) } # => [IO::EAGAINWaitReadable, "Resource temporarily unavailable - read would block"]
e { [r.read_nonblock(1, exception: false), IO.select([r], nil, nil, 0.01), IO.select(nil, [w], nil, 0)&.size] } # => [:wait_readable, nil, 3]
e { w << "x"; w.close; [r.readpartial(10), r.eof?] } # => ["x", true]
e { r.readpartial(1) } # => [EOFError, "end of file reached"]
e { big = "z" * 1_000_000; r, w = IO.pipe; t = Thread.new { r.read }; w.write big; w.close; t.value == big } # => true
e { IO.pipe { |a, b| b.puts "in"; b.close; a.read } } # => "in\n"
