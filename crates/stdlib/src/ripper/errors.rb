# frozen_string_literal: true

class Ripper
  # Which handler hears of an error, and what: prism has messages of its own, with those of CRuby's parser in many of them.
  module SyntaxErrors
    PATTERNS = [
      # The tree has them, and the walk over it tells of them.
      [/can't make alias for the number variables/, :in_tree, nil],
      [/\Ainvalid formal argument; (formal argument .*)/m, :param_error, 1],
      [/class\/module name must be CONSTANT/, :in_tree, nil],
      [/\A(Can't set variable .*|Can't change the value of self|Can't assign to .*|dynamic constant assignment)/, :assign_error, 1],
      [/\Aunexpected `[&*]+`; (no anonymous .*)/, :compile_error, 1],
      [/\Aunterminated heredoc; (can't find string .*)/m, :compile_error, 1],
      [/\A(unterminated .* meets end of file)/, :compile_error, 1],
      [/\A('.*' is not allowed as .*)/, :compile_error, 1],
      [/\A(unexpected \.\.\.) when/, :compile_error, 1],
      [/(numeric literal without digits|else without rescue is useless)\z/, :parse_error, 1],
      [/\A(invalid (?:hex|Unicode) escape)/, :parse_error, 1],
      [/\A(Invalid char .*)/i, :compile_error, 1]
    ].freeze

    # The handler and the message.
    def self.find(message, token)
      if message.start_with?("identifier ") && token&.end_with?("?:", "!:")
        return [:param_error, "formal argument must be local variable"]
      end
      PATTERNS.each do |pattern, handler, group|
        match = pattern.match(message) or next
        return [handler, group ? match[group] : message]
      end
      return [:parse_error, message] if !message.start_with?("unexpected") || message.include?(" in lambda ")
      [:parse_error, "syntax error, #{message.sub(/(?:, (?:assuming|ignoring) |; ).*\z/m, "")}"]
    end
  end
  private_constant :SyntaxErrors

  # The format and the arguments of a warning, of which prism has the text: of those that CRuby's parser gives arguments.
  module Warnings
    PATTERNS = [
      [/\Akey (.+) is duplicated and overwritten on line (\d+)\z/m, "key %p is duplicated and overwritten on line %d"],
      [/\A'when' clause on line (\d+) duplicates 'when' clause on line (\d+) and is ignored\z/,
       "'when' clause on line %d duplicates 'when' clause on line %d and is ignored"],
      [/\Amismatched indentations at '(\w+)' with '(\w+)' at (\d+)\z/, "mismatched indentations at '%s' with '%s' at %d"],
      [/\Ainvalid value for (\w+): (.*)\z/m, "invalid value for %s: %s"],
      [/\A'(\w+)' magic comment is ignored after any tokens\z/, "'%s' magic comment is ignored after any tokens"]
    ].freeze

    def self.split(message)
      PATTERNS.each do |pattern, format|
        match = pattern.match(message) or next
        return [format, *match.captures.map { |text| argument(text) }]
      end
      [message.gsub("%", "%%")]
    end

    def self.argument(text)
      case text
      when /\A\d+\z/ then text.to_i
      when /\A:(\w+[?!]?)\z/ then $1.to_sym
      else text
      end
    end
    private_class_method :argument
  end
  private_constant :Warnings
end
