# Keyword arguments of methods that are not written in Ruby, behind few arguments and many

members = %i[a b c d e f g h i j]
(1..members.size).each do |n|
  made = Struct.new(*members.first(n), keyword_init: true)
  p n unless made.members == members.first(n) && made.new(a: n).a == n
end
p Integer("12", 3, exception: false) # => 5
p Integer("x", exception: false) # => nil
options = { exception: false }
p Integer("x", **options) # => nil
p options # => {exception: false}
begin
  Integer("1", exceptions: false)
rescue ArgumentError => error
  puts error.message # => unknown keyword: :exceptions
end
key = "name"
p Hash.new(1, capacity: 3)[key] # => 1
