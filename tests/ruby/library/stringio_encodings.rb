# The encodings of a StringIO: what modes and options say, and what writing makes of Strings in others.
require "stringio"

def t = (p yield) rescue p($!)

MARKED = "\ufeffé"

def opened(...) = StringIO.new(...).then { |io| [io.pos, io.external_encoding, io.read] }

t { opened(MARKED, "r") } # => [0, #<Encoding:UTF-8>, "﻿é"]
t { opened(MARKED, "r:bom|utf-8") } # => [3, #<Encoding:UTF-8>, "é"]
t { opened(MARKED, "rb:BOM|UTF-8") } # => [3, #<Encoding:UTF-8>, "é"]
t { opened(MARKED, "rb") } # => [0, #<Encoding:BINARY (ASCII-8BIT)>, "\xEF\xBB\xBF\xC3\xA9"]
t { opened(MARKED, encoding: "bom|utf-8") } # => [3, #<Encoding:UTF-8>, "é"]
t { opened("é", encoding: "bom|utf-8") } # => [0, #<Encoding:UTF-8>, "é"]
t { opened("é", encoding: "euc-jp") } # => [0, #<Encoding:UTF-8>, "é"]
t { opened("é", "r", encoding: "euc-jp") } # => [0, #<Encoding:EUC-JP>, "\x{C3A9}"]
t { opened("é", "r", encoding: Encoding::EUC_JP) } # => [0, #<Encoding:EUC-JP>, "\x{C3A9}"]
t { opened("é", "r", external_encoding: "bom|utf-8") } # => #<ArgumentError: unknown encoding name - bom|utf-8>
t { opened("é", binmode: true) } # => [0, #<Encoding:UTF-8>, "é"]
t { opened("é", "r", binmode: true) } # => [0, #<Encoding:BINARY (ASCII-8BIT)>, "\xC3\xA9"]
t { (+"é").tap { |s| StringIO.new(s, "r+:euc-jp") }.encoding } # => #<Encoding:UTF-8>
t { (+"é").tap { |s| StringIO.new(s, "r+b") }.encoding } # => #<Encoding:UTF-8>

def written(string, encoding, text)
  io = StringIO.new(string)
  io.set_encoding(encoding) if encoding
  io.read
  io << text
  [io.string, io.string.encoding]
end

def ascii = (+"").force_encoding("US-ASCII")

t { written(ascii, nil, "é") } # => ["é", #<Encoding:UTF-8>]
t { written(ascii, nil, "é".encode("EUC-JP")) } # => ["\x{8FABB1}", #<Encoding:EUC-JP>]
t { written(ascii, nil, "\xff".b) } # => ["\xFF", #<Encoding:US-ASCII>]
t { written(+"", "US-ASCII", "é") } # => ["é", #<Encoding:UTF-8>]
t { written(+"é", "US-ASCII", "é") } # => #<Encoding::CompatibilityError: incompatible character encodings: US-ASCII and UTF-8>
t { written(+"", nil, "é".encode("EUC-JP")) } # => ["é", #<Encoding:UTF-8>]
t { written(+"a", "EUC-JP", "ạ") } # => #<Encoding::CompatibilityError: incompatible character encodings: EUC-JP and UTF-8>
t { written("é".b, nil, "é") } # => ["\xC3\xA9\xC3\xA9", #<Encoding:BINARY (ASCII-8BIT)>]
t { written(+"é", nil, "\xff".b) } # => ["é\xFF", #<Encoding:UTF-8>]
