# What CRuby has from its start and this loads at the first mention cannot be given another file by `autoload`.
p Object.autoload?(:Pathname) # => nil
p Object.autoload(:Pathname, "pathname") # => nil
p Object.autoload?(:Pathname) # => nil
p Pathname.new("a").join("b") # => #<Pathname:a/b>
p Object.autoload(:DidYouMean, "nowhere") # => nil
p DidYouMean::SpellChecker.new(dictionary: ["abcd"]).correct("abce") # => ["abcd"]
