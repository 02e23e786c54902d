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
