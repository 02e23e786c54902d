# frozen_string_literal: true

# Highlighting 1 MB of Ruby with rouge, whose `lib` is the first argument.
$LOAD_PATH.unshift(ARGV[0])
require "rouge"
require_relative "cases"

SOURCE = File.read(File.join(__dir__, "calls.rb"), encoding: "UTF-8")
TEXT = (SOURCE * ((1 << 20) / SOURCE.bytesize)).freeze

begun = Cases.clock
tokens = Rouge::Lexers::Ruby.new.lex(TEXT).sum { |_, text| text.size }
Cases.say("rouge 1 MB", Cases.clock - begun, tokens)
