# format and % with flags, widths, precisions, names and all common directives.
p format("%d %5d|%-5d|%05d|%+d|% d", 1, 2, 3, 4, 5, 6), format("%s|%5s|%-5s|%.2s", "a", "b", "c", "defg")
# => "1     2|3    |00004|+5| 6"
# => "a|    b|c    |de"
p format("%f %.2f %8.3f %-8.1f| %+.1f %e %g %g", 1.5, 2.345, 3.14159, 2.5, 1.25, 12345.678, 0.00001, 1e20)
# => "1.500000 2.34    3.142 2.5     | +1.2 1.234568e+04 1e-05 1e+20"
p format("%x %X %#x %o %b %08b %#b %x", 255, 255, 255, 8, 5, 5, 5, -255), format("%c%c", 65, "z"), format("%p %p", nil, "s"), format("%%")
# => "ff FF 0xff 10 101 00000101 0b101 ..f01"
# => "Az"
# => "nil \"s\""
# => "%"
p format("%<a>d %<b>.1f", a: 1, b: 2.0), format("%{x}-%{y}", x: 1, y: "two"), format("%-10<n>s|", n: "left")
# => "1 2.0"
# => "1-two"
# => "left      |"
p format("%2$s %1$s", "a", "b"), format("%*d", 5, 42), format("%-*d|", 5, 42), "%d-%d" % [1, 2], "%s" % nil, "%s" % [[1, 2]], "%p" % ["x"]
# => "b a"
# => "   42"
# => "42   |"
# => "1-2"
# => ""
# => "[1, 2]"
# => "\"x\""
p format("%d", 3.99), format("%d", "42"), format("%d", 2**70), format("%x", 2**70), format("%.10d", 42), format("%+x", -10), format("%s %s", :sym, 1.0)
# => "3"
# => "42"
# => "1180591620717411303424"
# => "400000000000000000"
# => "0000000042"
# => "-a"
# => "sym 1.0"
p format("%.0f %.0f %.0f", 0.5, 1.5, 2.5), format("%5.1f%%", 99.55), format("%a", 1.0), format("%g", 1234567.0), format("%g", 123456.0), format("%10.4g|", 3.14159)
# => "0 2 2"
# => " 99.6%"
# => "0x1p+0"
# => "1.23457e+06"
# => "123456"
# => "     3.142|"
p format("%f", 1.0 / 0), format("%d", -5), format("%05d", -5), format("%5s|%-5s|", "é", "é"), format("%.3s", "ééééé"), format("%3c|", "x")
# => "Inf"
# => "-5"
# => "-0005"
# => "    é|é    |"
# => "ééé"
# => "  x|"
def failing
  yield
rescue ArgumentError, KeyError, TypeError => e
  puts "#{e.class}: #{e.message}"
  # => ArgumentError: too few arguments
  # => ArgumentError: invalid value for Integer(): "x"
  # => KeyError: key<a> not found
  # => TypeError: can't convert nil into Integer
  # => ArgumentError: malformed format string - %z
end
failing { format("%d") }
failing { format("%d", "x") }
failing { format("%<a>d", { b: 1 }) }
failing { format("%d", nil) }
failing { format("%z", 1) }
p 12.to_s(2), 255.to_s(16), "ff".hex, "0b11".to_i(0), "z".to_i(36), "12abc".to_i, "0x1f".hex, "777".oct, 3.7.to_i, -7.to_s.rjust(5, "0")
# => "1100"
# => "ff"
# => 255
# => 3
# => 35
# => 12
# => 31
# => 511
# => 3
# => "000-7"
p 1234.5678.round(2), 1234.5678.floor(-2), 15.round(-1), 25.round(-1, half: :even), 1e3.to_s, 1e16.to_s, 1e-5.to_s, 100.0.to_s, 1.23456789012345e+25.to_s, -0.0
# => 1234.57
# => 1200
# => 20
# => 20
# => "1000.0"
# => "1.0e+16"
# => "1.0e-05"
# => "100.0"
# => "1.23456789012345e+25"
# => -0.0
p "abc".center(9, "*"), "abc".ljust(5, ".") + "|", "abc".rjust(5), 5.to_s.rjust(3, "0"), "%03d|%-4s|%4s" % [7, "ab", "cd"]
# => "***abc***"
# => "abc..|"
# => "  abc"
# => "005"
# => "007|ab  |  cd"
p 1_000_000.to_s.gsub(/(\d)(?=(\d{3})+$)/, '\1,'), 3.14.to_s, 1e100.to_s, 2.0e-7.to_s, 123456789.123456789.to_s, 0.1 + 0.2, 1e15, 1e2, 10.0 / 3
# => "1,000,000"
# => "3.14"
# => "1.0e+100"
# => "2.0e-07"
# => "123456789.12345679"
# => 0.30000000000000004
# => 1.0e+15
# => 100.0
# => 3.3333333333333335

# Floats right beside a half are rounded as CRuby's conversion does it.
p format("%.3g %.3g %.3g", 0.0001005, 0.0002505, 0.00012) # => "0.000100 0.000250 0.00012"
p format("%.17f %.16f", 0.00097161118907886501, 0.5 + 2**-20) # => "0.00097161118907887 0.5000009536743164"
p [0, 1, 2, 3].map { format("%.#{_1}f", 2.675) } # => ["3", "2.7", "2.68", "2.675"]
p [0, 1, 2].map { format("%.#{_1}f", 0.125) } # => ["0", "0.1", "0.12"]
p format("%.0f %.0f %.0f %.1f %.22f", 0.5, 1.5, 2.5, 0.25, 0.1) # => "0 2 2 0.2 0.1000000000000000055511"
p format("%#.0f %.3f %.2f", 4503599627370497.5, 1e22, 9007199254740993.0) # => "4503599627370498. 10000000000000000000000.000 9007199254740992.00"
p format("%g %g %g %#g %g", 1e5, 1e6, 1e-5, 1.5, 0.0001) # => "100000 1e+06 1e-05 1.50000 0.0001"
