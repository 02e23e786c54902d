# Hash#[]= of a String that is there
n = ARGV[0].to_i
h = {}
k = "key".freeze
h[k] = 0
i = 0
while i < n
  h[k] = i
  i += 1
end
