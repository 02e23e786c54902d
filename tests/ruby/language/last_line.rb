# `$_` belongs to the method, as `$~` does.
r, w = IO.pipe
w << "l1\nl2\nl3\nl4\n"
w.close

$_ = "outer"
def own = [$_, $_ = "own", $_]
p own, $_
# => [nil, "own", "own"]
# => "outer"
def read(io) = [io.gets, $_]
p read(r), $_
# => ["l1\n", "l1\n"]
# => "outer"
while r.gets
  $_ =~ /l(.)/
  p [$_, $1, $~[0], eval("$_")]
end
# => ["l2\n", "2", "l2", "l2\n"]
# => ["l3\n", "3", "l3", "l3\n"]
# => ["l4\n", "4", "l4", "l4\n"]
p $_ # => nil
[1].each { $_ = "block" }
p $_, instance_eval { $_ }
# => "block"
# => "block"
def yields = ($_ = "mine"; yield; $_)
p yields { $_ = "theirs" }, $_
# => "mine"
# => "theirs"
def both = ("abc" =~ /b/; $_ = "z"; "q" =~ /r/; [$~, $_])
def again = ($_ = "z"; "abc" =~ /b/; 100.times { $_ = "k#{_1}"; "qb" =~ /b/ }; [$~[0], $_])
p both, again, both
# => [nil, "z"]
# => ["b", "k99"]
# => [nil, "z"]
p Thread.new { own }.value, $_
# => [nil, "own", "own"]
# => "theirs"
def kept = 300.times.map { |i| $_ = "line #{i}"; GC.start if i % 100 == 0; $_ }.uniq.size
p kept # => 300
$_ = "printed\n"
print # => printed
