# Loops over instructions whose handlers jump to one another: none leaves anything on the machine stack, which a native thread
# has little of. (What runs in a loop together must not contain an instruction that returns to the interpreter's own loop.)
class Point
  attr_accessor :x
  LIMIT = 3

  def initialize(x) = @x = x
  def +(other) = @x
  def ==(other) = true
  def plain(a) = a
  def set(a) = @y = a
  def twice = yield(1)
  def pair(v) = yield(v)
  def limit = LIMIT
end

class Other < Point
  def plain(a) = super
end

LOOPS = {
  integers: "a = i + 1 - j; b = a * 2 / 3 % 5; c = (a & b | 1 ^ 2) << 2 >> 1; d = -c",
  floats: "a = 1.5 * j + 0.25 - j / 2.0; a = a + 1e300 * 1e-300 if a > 0.5; b = a % 2.0; c = -a",
  comparisons: "a = i < j; a = i <= j; a = i > j; a = i >= j; a = i == j; a = i != j; a = !j; a = i.nil?; a = 2.0 < j; a = s == t",
  jumps: "a = 1 if i < j || i > 5 || j == 7 || j != 1 || i <= 3 || j >= 1.5; a = b unless a; a ||= 1; a&.nil?; a = s != t ? 1 : 2",
  strings: 's = "a#{j}#{:b}"; s << "c"',
  collections: "a[0] = i; b = a[1]; b = h[:k]; h[3] = b; b = a.size; b = a.empty?; c = [i, j]; d = { k: i }; b = h.size; b, d = c",
  methods: "p.plain(1); o.plain(1); p + 1; p == 2; p.x = j; p.x; p.set(2); p.limit; Point.new(1)",
  blocks: "k = 0; p.twice { |v| k += v }; p.pair(j) { |v, w| k = v }; l.call(1); l.(2); p.pair(1, &l)",
  natives: "s.size; s.hash; i.to_s; i.respond_to?(:x); i.frozen?; a.first; a.push(1); a.clear",
  fibers: "f.resume; e.next",
}

N = GC.stress ? 300 : 280_000

LOOPS.each do |name, body|
  value = Thread.new do
    eval <<~RUBY
      def run_#{name}(p, o, l, a, h, s, t, j, f, e)
        i = 0
        b = c = d = k = nil
        while i < N
          #{body}
          i += 1
        end
        i
      end
    RUBY
    fiber = Fiber.new { Fiber.yield 1 while true }
    send(:"run_#{name}", Point.new(1), Other.new(2), ->(q) { q }, [1, 2], { k: 1 }, "s", "t", 2, fiber, [1, 2].cycle)
  end.value
  puts "#{name}: #{value == N}"
end
# => integers: true
# => floats: true
# => comparisons: true
# => jumps: true
# => strings: true
# => collections: true
# => methods: true
# => blocks: true
# => natives: true
# => fibers: true
