# Tarai: the variant of tak that returns y, far more recursive.
def tarai(x, y, z)
  return y if x <= y

  tarai(tarai(x - 1, y, z), tarai(y - 1, z, x), tarai(z - 1, x, y))
end

n = (ARGV[0] || 13).to_i
puts "tarai(#{n}, #{n / 2}, 0) = #{tarai(n, n / 2, 0)}"
