# `split(" ")` looks for whitespace by characters, whatever encodings the two texts have.
def wide(text) = text.encode("UTF-16LE")
def shown(list) = list.map { _1.encode("UTF-8") }
p shown(wide(" a ").split(wide(" "))) # => ["a"]
p shown(wide(" a\tb\n").split(wide(" "), -1)) # => ["a", "b", ""]
p shown(wide(" a  b ").split(wide(" "), 2)) # => ["a", "b "]
p shown(wide(" a  b ").split(" ")) # => ["a", "b"]
p shown(" a  b ".encode("UTF-32BE").split(" ".encode("UTF-32BE"))) # => ["a", "b"]
p " a  b ".split(wide(" ")) # => ["a", "b"]
p shown(wide("a  b").split(wide("  "))) # => ["a", "b"]
p shown(wide("a,,b").split(wide(","))) # => ["a", "", "b"]
