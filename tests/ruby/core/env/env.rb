# ENV.

def e; p yield; rescue Exception => x; p [x.class, x.message]; end

ENV.replace("A" => "1", "B" => "2")
e { [ENV["A"], ENV["A"].frozen?, ENV["C"], ENV.fetch("C", 3), ENV.fetch("C") { |k| k * 2 }, ENV.key?("A")] } # => ["1", true, nil, 3, "CC", true]
e { ENV.fetch("C") } # => [KeyError, "key not found: \"C\""]
e { ENV["a=b"] = "x" } # => [Errno::EINVAL, "Invalid argument - setenv(a=b)"]
e { ENV[1] } # => [TypeError, "no implicit conversion of Integer into String"]
e { ENV["x"] = 1 } # => [TypeError, "no implicit conversion of Integer into String"]
e { ENV["a\0"] } # => [ArgumentError, "bad environment variable name: contains null byte"]
e { ENV["C"] = "3"; [ENV.to_h, ENV.keys, ENV.values, ENV.size] } # => [{"A" => "1", "B" => "2", "C" => "3"}, ["A", "B", "C"], ["1", "2", "3"], 3]
e { [ENV.delete("C"), ENV.delete("C"), ENV.delete("C") { |k| k.downcase }] } # => ["3", nil, "c"]
e { [ENV.map { |k, v| k + v }, ENV.select { |k, v| v > "1" }, ENV.reject { |k, v| v > "1" }, ENV.find { |k, v| v == "2" }] } # => [["A1", "B2"], {"B" => "2"}, {"A" => "1"}, ["B", "2"]]
e { ENV.update("A" => "9", "D" => "4") { |k, old, new| old + new }; ENV.to_a } # => [["A", "19"], ["B", "2"], ["D", "4"]]
e { [ENV.key("4"), ENV.value?("4"), ENV.assoc("A"), ENV.rassoc("4"), ENV.slice("A", "Z"), ENV.values_at("A", "Z"), ENV.invert] } # => ["D", true, ["A", "19"], ["D", "4"], {"A" => "19"}, ["19", nil], {"19" => "A", "2" => "B", "4" => "D"}]
e { ENV.delete_if { |k, v| k == "D" }; ENV.reject! { false } } # => nil
e { ENV["E"] = nil; ENV.include?("E") } # => false
e { [ENV.to_s, ENV.shift, ENV.empty?, ENV.clear.equal?(ENV), ENV.empty?] } # => ["ENV", ["A", "19"], false, true, true]
e { ENV.dup } # => [TypeError, "Cannot dup ENV, use ENV.to_h to get a copy of ENV as a hash"]
# parallel: no, the environment belongs to the process

# Names and values that are only like Strings.
like = ->(text) { Class.new { define_method(:to_str) { text } }.new }
ENV["ENV_TEST_LIKE"] = "like this"
p ENV.assoc(like.("ENV_TEST_LIKE")) # => ["ENV_TEST_LIKE", "like this"]
p ENV.rassoc(like.("like this")) # => ["ENV_TEST_LIKE", "like this"]
p ENV.value?(like.("like this")) # => true
p ENV.slice(like.("ENV_TEST_LIKE"), "ENV_TEST_NONE").values # => ["like this"]
ENV.slice(1) rescue puts $!.message # => no implicit conversion of Integer into String
ENV.replace(1) rescue puts $!.message # => no implicit conversion of Integer into Hash
ENV.clone(freeze: 1) rescue puts $!.message # => unexpected value for freeze: Integer
ENV.delete("ENV_TEST_LIKE")
