# The denominator of a Rational in a String may have a point and an exponent; that of a Complex has digits only.
p "5/3.3".to_r # => (50/33)
p "5/3e2".to_r # => (1/60)
p "5/3.3e-1".to_r # => (500/33)
p "5.5/2.5".to_r # => (11/5)
p "1e2/3e4".to_r # => (1/300)
p "1/3_3.3_3".to_r # => (100/3333)
p "5/.3".to_r # => (50/3)
p "5/3.".to_r # => (5/3)
p "1/3._3".to_r # => (1/3)
p "1/3e".to_r # => (1/3)
p "5/-3".to_r # => (5/1)
p "-5/3.3/2".to_r # => (-50/33)
p "5/3.3i".to_r # => (50/33)
p "0/0.5".to_r # => (0/1)
begin
  "5/0e3".to_r
rescue ZeroDivisionError => e
  p e.message # => "divided by 0"
end
p "5/3.3".to_c # => ((5/3)+0i)
p "5/3e2".to_c # => ((5/3)+0i)
p Rational("5/3.3") # => (50/33)
p Rational("5.5/2.5") # => (11/5)
