# Arrays within Arrays are looked into without their dig being called, unless it is another one.
class List < Array
  def dig(*indices) = [:own, indices]
end
p [[1, [2, [3]]]].dig(0, 1, 1, 0) # => 3
p [[1, List[5]]].dig(0, 1, 7, 8) # => [:own, [7, 8]]
p [[1, { a: [9] }]].dig(0, 1, :a, 0) # => 9
p [[nil]].dig(0, 0, 1) # => nil
p [[1, 2]].dig(0, 1.9) # => 2
p [[1, 2]].dig(0, -1) # => 2
[[1]].dig(0, 0, 1) rescue p $!.message # => "Integer does not have #dig method"
[[1]].dig(0, "x") rescue p $!.message # => "no implicit conversion of String into Integer"
