# Twiddling: base64 by hand, CRC-32, Adler, a xorshift generator, bit counts, Gray codes, SHA-256, bit sets.
ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

def base64(bytes)
  out = String.new(capacity: bytes.size * 4 / 3 + 4)
  i = 0
  while i < bytes.size
    a = bytes[i]
    b = bytes[i + 1]
    c = bytes[i + 2]
    n = (a << 16) | ((b || 0) << 8) | (c || 0)
    out << ALPHABET[n >> 18] << ALPHABET[(n >> 12) & 63]
    out << (b ? ALPHABET[(n >> 6) & 63] : "=") << (c ? ALPHABET[n & 63] : "=")
    i += 3
  end
  out
end

VALUES = ALPHABET.each_byte.with_index.to_h.freeze

def unbase64(text)
  out = []
  text.delete("=").each_byte.each_slice(4) do |group|
    n = group.inject(0) { |sum, b| (sum << 6) | VALUES[b] } << (6 * (4 - group.size))
    out << (n >> 16 & 255)
    out << (n >> 8 & 255) if group.size > 2
    out << (n & 255) if group.size > 3
  end
  out
end

CRC = Array.new(256) { |n| 8.times.inject(n) { |c, _| c.odd? ? (c >> 1) ^ 0xedb88320 : c >> 1 } }.freeze

def crc32(bytes)
  c = 0xffffffff
  bytes.each { |b| c = CRC[(c ^ b) & 255] ^ (c >> 8) }
  c ^ 0xffffffff
end

def adler(bytes)
  a = 1
  b = 0
  bytes.each do |x|
    a = (a + x) % 65_521
    b = (b + a) % 65_521
  end
  b << 16 | a
end

class Xorshift
  MASK = 0xffffffffffffffff

  def initialize(seed) = @x = seed

  def next
    @x ^= (@x << 13) & MASK
    @x ^= @x >> 7
    @x ^= (@x << 17) & MASK
    @x
  end
end

def popcount(n)
  count = 0
  while n != 0
    n &= n - 1
    count += 1
  end
  count
end

def reverse32(n)
  n = ((n >> 1) & 0x55555555) | ((n & 0x55555555) << 1)
  n = ((n >> 2) & 0x33333333) | ((n & 0x33333333) << 2)
  n = ((n >> 4) & 0x0f0f0f0f) | ((n & 0x0f0f0f0f) << 4)
  n = ((n >> 8) & 0x00ff00ff) | ((n & 0x00ff00ff) << 8)
  (n >> 16) | ((n & 0xffff) << 16)
end

PRIMES = (2..311).select { |n| (2..Integer.sqrt(n)).none? { |d| (n % d).zero? } }
ROUND = PRIMES.map { |p| (Math.cbrt(p) % 1 * 2**32).to_i }.first(64).freeze
START = PRIMES.first(8).map { |p| (Math.sqrt(p) % 1 * 2**32).to_i }.freeze

def rotr(n, by) = ((n >> by) | (n << (32 - by))) & 0xffffffff

def sha256(message)
  bits = message.bytesize * 8
  data = message.bytes << 0x80
  data << 0 until data.size % 64 == 56
  8.times { |i| data << (bits >> (56 - 8 * i) & 255) }
  h = START.dup
  data.each_slice(64) do |block|
    w = block.each_slice(4).map { |a, b, c, d| a << 24 | b << 16 | c << 8 | d }
    (16..63).each do |i|
      x = w[i - 15]
      y = w[i - 2]
      s0 = rotr(x, 7) ^ rotr(x, 18) ^ (x >> 3)
      s1 = rotr(y, 17) ^ rotr(y, 19) ^ (y >> 10)
      w[i] = (w[i - 16] + s0 + w[i - 7] + s1) & 0xffffffff
    end
    a, b, c, d, e, f, g, hh = h
    64.times do |i|
      t1 = hh + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[i] + w[i]
      t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
      hh = g
      g = f
      f = e
      e = (d + t1) & 0xffffffff
      d = c
      c = b
      b = a
      a = (t1 + t2) & 0xffffffff
    end
    h = h.zip([a, b, c, d, e, f, g, hh]).map { |x, y| (x + y) & 0xffffffff }
  end
  h.map { |x| format("%08x", x) }.join
end

generator = Xorshift.new(88_172_645_463_325_252)
data = Array.new(200_000) { generator.next & 255 }
text = base64(data)
puts text[0, 60], text.size, unbase64(text) == data
puts crc32(data).to_s(16), adler(data).to_s(16), crc32("The quick brown fox".bytes)
numbers = Array.new(130_000) { generator.next & 0xffffffff }
puts numbers.sum { |n| popcount(n) }, numbers.inject(0) { |x, n| x ^ reverse32(n) }
gray = (0...150_000).map { |n| n ^ (n >> 1) }
puts gray.each_cons(2).all? { |a, b| popcount(a ^ b) == 1 }, gray.sum
puts sha256(""), sha256("abc"), sha256("a" * 30000)

set = 0
2000.times { |i| set |= 1 << (i * i % 2003) }
puts set.bit_length, (0...2003).count { |i| set[i] == 1 }, (set & (set >> 1)).to_s(16).size, (~set & 0xffff).to_s(2)
puts [1, -1, 255, -256].map { |n| format("%b %o %x", n & 0xffff, n & 0xff, n & 0xfff) }
