# Fourier transforms: recursive on Complex, in place on Floats, and by number theory; convolutions and products.
def fft(list, sign = -1)
  n = list.size
  return list if n == 1
  even = fft(list.each_slice(2).map(&:first), sign)
  odd = fft(list.each_slice(2).map(&:last), sign)
  out = Array.new(n)
  half = n / 2
  half.times do |k|
    turn = Complex.polar(1.0, sign * 2 * Math::PI * k / n) * odd[k]
    out[k] = even[k] + turn
    out[k + half] = even[k] - turn
  end
  out
end

def fft!(re, im)
  n = re.size
  j = 0
  (1...n).each do |i|
    bit = n >> 1
    while j & bit != 0
      j ^= bit
      bit >>= 1
    end
    j |= bit
    if i < j
      re[i], re[j] = re[j], re[i]
      im[i], im[j] = im[j], im[i]
    end
  end
  size = 2
  while size <= n
    half = size >> 1
    angle = -2.0 * Math::PI / size
    wr = Math.cos(angle)
    wi = Math.sin(angle)
    (0...n).step(size) do |start|
      cr = 1.0
      ci = 0.0
      half.times do |k|
        a = start + k
        b = a + half
        tr = re[b] * cr - im[b] * ci
        ti = re[b] * ci + im[b] * cr
        re[b] = re[a] - tr
        im[b] = im[a] - ti
        re[a] += tr
        im[a] += ti
        cr, ci = cr * wr - ci * wi, cr * wi + ci * wr
      end
    end
    size <<= 1
  end
end

MODULUS = 998_244_353

def ntt(list, invert)
  a = list.dup
  n = a.size
  bits = n.bit_length - 1
  n.times do |i|
    j = (0...bits).inject(0) { |r, b| r | ((i >> b & 1) << (bits - 1 - b)) }
    a[i], a[j] = a[j], a[i] if i < j
  end
  length = 2
  while length <= n
    root = 3.pow((MODULUS - 1) / length, MODULUS)
    root = root.pow(MODULUS - 2, MODULUS) if invert
    half = length / 2
    0.step(n - 1, length) do |start|
      w = 1
      start.upto(start + half - 1) do |i|
        x = a[i]
        y = a[i + half] * w % MODULUS
        a[i] = (x + y) % MODULUS
        a[i + half] = (x - y) % MODULUS
        w = w * root % MODULUS
      end
    end
    length <<= 1
  end
  return a unless invert
  scale = n.pow(MODULUS - 2, MODULUS)
  a.map { |x| x * scale % MODULUS }
end

def multiply(a, b)
  x = a.digits
  y = b.digits
  n = 1
  n <<= 1 while n < x.size + y.size
  fx = ntt(x + [0] * (n - x.size), false)
  fy = ntt(y + [0] * (n - y.size), false)
  product = ntt(fx.zip(fy).map { |p, q| p * q % MODULUS }, true)
  carry = 0
  out = product.map do |digit|
    carry, rest = (digit + carry).divmod(10)
    rest
  end
  out.reverse.join.to_i
end

signal = Array.new(8192) { |i| Math.sin(i * 0.05) + 0.5 * Math.cos(i * 0.31) + (i % 7) * 0.01 }
spectrum = fft(signal.map { |x| Complex(x, 0.0) })
peaks = spectrum.first(4096).each_with_index.max_by(4) { |c, i| [c.abs, i] }
puts peaks.map { |c, i| format("%d:%.6f", i, c.abs) }.join(" ")
back = fft(spectrum, 1).map { |c| c / 8192 }
puts back.zip(signal).map { |c, x| (c.real - x).abs }.max < 1e-9

re = Array.new(65_536) { |i| Math.sin(i * 0.01) * (i % 5) }
im = Array.new(65_536, 0.0)
fft!(re, im)
power = re.zip(im).map { |a, b| a * a + b * b }
puts format("%.6e %.6e %d", power.sum, power.max, power.index(power.max))

a = 3**5200
b = 7**2900
puts multiply(a, b) == a * b, (a * b).to_s.size
