# String#<<
n = ARGV[0].to_i
s = +""
t = "x"
i = 0
while i < n
  s << t
  i += 1
end
