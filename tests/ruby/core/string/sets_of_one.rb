# Sets of one character are that character, whatever it means in longer ones.
text = "h\u00e9llo w\u00f6rld^-\\"
p text.delete("-") # => "héllo wörld^\\"
p text.delete("^") # => "héllo wörld-\\"
p text.delete("\\") # => "héllo wörld^-"
p text.delete("ö") # => "héllo wrld^-\\"
p text.count("l") # => 3
p text.count("a-z", "^l") # => 5
p text.squeeze("l") # => "hélo wörld^-\\"
p "aaabbb".squeeze("a") # => "abbb"
p "\xFFab".b.delete("a") # => "\xFFb"
p "ab".encode("UTF-16LE").delete("a".encode("UTF-16LE")).encode("UTF-8") # => "b"
