# Suggestions of a program's own error classes.
class Refused < StandardError
  include DidYouMean::Correctable
  def corrections = %w[ab cd]
end
p Refused.new("msg").detailed_message(highlight: false), Refused.new("msg").detailed_message(did_you_mean: false, highlight: false)
# => "msg (Refused)\nDid you mean?  ab\n               cd"
# => "msg (Refused)"
p Refused.new("msg").detailed_message(highlight: true), Refused.new("msg").message
# => "\e[1mmsg (\e[1;4mRefused\e[m\e[1m)\e[m\n\e[1mDid you mean?  ab\e[m\n\e[1m               cd\e[m"
# => "msg"
class Plain < StandardError; include DidYouMean::Correctable; end
p Plain.new("x").detailed_message(highlight: false), Plain.new("x").corrections # => "x (Plain)"
# => []
class Wrong < StandardError; end
class Checker
  def initialize(error) = @error = error
  def corrections = [@error.message.reverse]
end
DidYouMean.correct_error(Wrong, Checker)
p Wrong.new("abc").detailed_message(highlight: false), Wrong.new("abc").spell_checker.class, Wrong.new("abc").original_message
# => "abc (Wrong)\nDid you mean?  cba"
# => Checker
# => "abc"
begin
  foo_bra = 1
  foo_bar
rescue NameError => e
  puts e.detailed_message(highlight: false).lines.last # => Did you mean?  foo_bra
end

# The checkers that CRuby's library has are there, and so is what it gives to the errors that it knows.
DidYouMean
p NameError.ancestors.first, LoadError.include?(DidYouMean::Correctable) # => DidYouMean::Correctable
# => true
p DidYouMean.spell_checkers["KeyError"], DidYouMean.spell_checkers["NoSuchError"] # => DidYouMean::KeyErrorChecker
# => DidYouMean::NullChecker
def error = yield rescue $!
p error { {"foo" => 1}.fetch(:foo) }.corrections, error { {foo: 1}.fetch("foo") }.corrections, error { {foo: 1}.fetch(:fooo) }.corrections
# => []
# => [":foo"]
# => [":foo"]
p DidYouMean::KeyErrorChecker.new(error { {foo: 1}.fetch(:fob) }).corrections # => [":foo"]
p error { case {foo: 1}; in {fooo: 1} then 1 end }.spell_checker.class # => DidYouMean::PatternKeyNameChecker
class Thing
  def colour=(value)
  end
end
p error { Thing.new.color = 1 }.corrections, error { Thing.new.colour }.corrections # => [:colour=]
# => []
p error { nil.nli? }.corrections, error { Thing.new.privte(1) }.corrections # => []
# => []
p DidYouMean::MethodNameChecker.new(error { [].frist }).corrections, error { ObjectSpce }.corrections # => [:first]
# => ["ObjectSpace"]
p error { count_of_them = 1; count_of_thm }.corrections, error { raise NameError, "own" }.corrections # => [:count_of_them]
# => []
def missing
  yield
rescue LoadError => e
  e
end
p missing { require "opne3" }.corrections, DidYouMean::RequirePathChecker.new(missing { require "net/htpt" }).corrections # => ["open3"]
# => ["net/http"]
tree = DidYouMean::TreeSpellChecker.new(dictionary: %w[spec/models/user_spec.rb spec/views/user_spec.rb lib/user.rb])
p tree.correct("spec/modals/user_spec.rb"), tree.correct("nothing/like/it"), tree.dimensions # => ["spec/models/user_spec.rb"]
# => []
# => [["spec", "lib"], ["models", "views"]]
# A suggestion is made once, also by the error that has the library loaded.
p error { Thing.new.to_ss }.detailed_message(error_highlight: false).scan("Did you mean").size # => 1
require "did_you_mean/spell_checkers/key_error_checker"
p DidYouMean::Levenshtein.distance("ab", "acb") # => 1
