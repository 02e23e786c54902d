# args: --jit=always
# Compiled code beside threads, fibers, exceptions, a full stack and a redefinition.
def f(n) = n == 0 ? 0 : 1 + f(n - 1)
def deep(n) = deep(n + 1) + 1
def r(n) = n == 0 ? raise("x") : r(n - 1) + 1
def e(n)
  begin
    r(n)
  rescue => x
    x.message
  ensure
    n += 1
  end
end
5.times { p f(500) ; p e(20) }
3.times { begin; deep(0); rescue SystemStackError => x; puts x.class; end }
g = Fiber.new { 1000.times { |i| Fiber.yield i if i % 3 == 0; f(5) } ; :end }
a = []; 200.times { a << g.resume }; p a.sum
q = Enumerator.new { |y| i = 0; loop { y << (i += 1) } }
p q.next, q.take(300).sum
ths = 4.times.map { |t| Thread.new { s = 0; 50000.times { |i| s += f(3) + i }; s } }
p ths.map(&:value)
t = Thread.new { i = 0; loop { i += 1 } }
sleep 0.05; t.kill; p t.join(5) == t
runs = false
t = Thread.new { begin; i = 0; while true; i += 1; runs = true; end; rescue => x; x.message; end }
Thread.pass until runs
t.raise("stop"); p t.value
def add(a, b) = a + b
300.times { add(1, 2) }
class Integer; alias old_plus +; def +(o) = old_plus(o).old_plus(100); end
p add(1, 2)
# => 500
# => "x"
# => 500
# => "x"
# => 500
# => "x"
# => 500
# => "x"
# => 500
# => "x"
# => SystemStackError
# => SystemStackError
# => SystemStackError
# => 59700
# => 1
# => 45150
# => [1250125000, 1250125000, 1250125000, 1250125000]
# => true
# => "stop"
# => 103
