# Array#<<
n = ARGV[0].to_i
a = []
i = 0
while i < n
  a << i
  i += 1
end
