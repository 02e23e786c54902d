# Hash#[]= of a new key
n = ARGV[0].to_i
h = {}
i = 0
while i < n
  h[i] = i
  i += 1
end
