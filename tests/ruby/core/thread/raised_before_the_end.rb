# What a thread raises into one that joins it comes in `join` at the latest: who has joined it is safe from it.
class Hit < StandardError; end

main = Thread.current
late = 0
hits = 0
300.times do |i|
  thread = Thread.new do
    Thread.pass if i.odd?
    main.raise(Hit)
  end
  begin
    begin
      thread.kill if i % 3 == 0
      thread.join
    end
    late += 1 if main.pending_interrupt?
  rescue Hit
    hits += 1
    begin
      thread.join
    rescue Hit
      late += 1
    end
  end
end
p late, hits >= 200
# => 0
# => true
