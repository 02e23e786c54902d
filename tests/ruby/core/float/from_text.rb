# What texts Float() and String#to_f take.
%w[1.5 +1.5 -1.5 1 1. .5 -.5 1_000.5 1__0 _1 1_ 1_.5 1._5 1.5_ 1e5 1e+5 1.e5 .5e-1 1e 1e_5 1e5_0 1e1_ 0x1A 0x1.8p1 0x1p+1_0 0x 1e400 -1e-400
   . - + e5 1.5.5 1,5].each do |text|
  puts [text, Float(text, exception: false).inspect, text.to_f].join(" ")
end
# => 1.5 1.5 1.5
# => +1.5 1.5 1.5
# => -1.5 -1.5 -1.5
# => 1 1.0 1.0
# => 1. 1.0 1.0
# => .5 0.5 0.5
# => -.5 -0.5 -0.5
# => 1_000.5 1000.5 1000.5
# => 1__0 nil 1.0
# => _1 nil 0.0
# => 1_ nil 1.0
# => 1_.5 nil 1.0
# => 1._5 nil 1.0
# => 1.5_ nil 1.5
# => 1e5 100000.0 100000.0
# => 1e+5 100000.0 100000.0
# => 1.e5 100000.0 100000.0
# => .5e-1 0.05 0.05
# => 1e nil 1.0
# => 1e_5 nil 1.0
# => 1e5_0 1.0e+50 1.0e+50
# => 1e1_ nil 10.0
# => 0x1A 26.0 0.0
# => 0x1.8p1 3.0 0.0
# => 0x1p+1_0 1024.0 0.0
# => 0x nil 0.0
# => 1e400 Infinity Infinity
# => -1e-400 -0.0 -0.0
# => . nil 0.0
# => - nil 0.0
# => + nil 0.0
# => e5 nil 0.0
# => 1.5.5 nil 1.5
# => 1,5 nil 1.0
[" 1.5\n", "1.5\0", "\u00001", "1 5", "", "abc"].each do |text|
  p Float(text)
rescue ArgumentError => e
  p e.message
end
# => 1.5
# => "string for Float contains null byte"
# => "string for Float contains null byte"
# => "invalid value for Float(): \"1 5\""
# => "invalid value for Float(): \"\""
# => "invalid value for Float(): \"abc\""
