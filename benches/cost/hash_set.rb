# Hash#[]= of a key that is there
n = ARGV[0].to_i
h = {}
i = 0
while i < 256
  h[i] = i
  i += 1
end
i = 0
while i < n
  h[i & 255] = i
  i += 1
end
