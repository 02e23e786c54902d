# args: --jit=always
# Variables of several scopes around, used by turns, while calls between move the scopes to the heap.
N = GC.stress ? 2 : 300

def keep(*) = nil
def held(&block) = block

def turns(n, capture_at)
  a = 1
  b = 2.5
  list = [1.0, 2.0, 3.0]
  kept = []
  n.times do |i|
    c = 0.5 * i
    4.times do |j|
      a += j
      b += c * 0.25
      list[j % 3] += b * c
      kept << -> { [a, b.round(3), c, j] } if i == capture_at && j == 2
      c += b * 0.1
      b = -b if a.even?
      a -= 1
      keep(a, b)
      c -= list[0] * 0.001
    end
    a += c.to_i
  end
  [a, b.round(6), list.map { |x| x.round(6) }, kept.map(&:call)]
end

def middle(n)
  x = 0
  y = 10
  z = nil
  n.times do |i|
    w = i
    [1, 2].each do |k|
      x += k
      w += x
      z = held { x += 100; w += 1 } if i == 5 && k == 1
      y -= w > 30 ? 1 : 0
      x -= 1
      z.call if i == 7 && k == 2
      w += y
    end
    x = w if i == 3
    z = binding if i == 9
  end
  [x, y, z.respond_to?(:local_variable_get) ? z.local_variable_get(:w) : z&.class]
end

def raised(n)
  count = 0
  last = nil
  n.times do |i|
    inner = i
    begin
      3.times do |j|
        count += 1
        inner += j
        raise ArgumentError, "at #{i}" if i % 5 == 4 && j == 1
        last = -> { [count, inner] } if i % 7 == 6
        count += inner & 1
      end
    rescue ArgumentError => e
      count += e.message.size
      inner = -1
    end
    count += inner
  end
  [count, last&.call]
end

lists = nil
N.times { lists = [turns(9, 99), turns(9, 4), turns(9, 0), middle(5), middle(8), middle(12), raised(20)] }
p(*lists)
# => [44, 11.401001, [74.450536, 31.32075, 190.491135], []]
# => [44, 11.401001, [74.450536, 31.32075, 190.491135], [[44, 11.401, 3.0304390196298745, 2]]]
# => [44, 11.401001, [74.450536, 31.32075, 190.491135], [[44, 11.401, 0.5234528951150116, 2]]]
# => [33, 8, nil]
# => [136, 2, Proc]
# => [140, -6, 283]
# => [288, [288, 16]]
