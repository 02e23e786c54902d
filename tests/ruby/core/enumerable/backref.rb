# Enumerable's methods set `$~` of who calls them, also where an `each` written in Ruby lies in between.
class Words
  include Enumerable

  def each
    %w[bar baz qux].each { |word| yield word }
  end
end

words = Words.new
seen = []
words.grep(/b(a.)/) { seen << $1 }
p seen # => ["ar", "az"]
p words.any?(/q(.)/), $1 # => true
# => "u"
p words.each_entry.grep_v(/ba/) { |w| w.upcase } # => ["QUX"]
p words.slice_when { |a, b| b =~ /q/ }.to_a # => [["bar", "baz"], ["qux"]]

# Without a block grep leaves $~ alone, whatever it meets.
"x" =~ /x/
p ["ab", :abc, 1, nil, "b"].grep(/a/), ["ab", :b, 1].grep_v(/a/), $~[0] # => ["ab", :abc]
# => [:b, 1]
# => "x"
