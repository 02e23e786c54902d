# frozen_string_literal: true

# The part of Forwardable that depends on the implementation: the installed one asks CRuby's bytecode compiler.
module Forwardable
  def self._valid_method?(method) = method.to_s.match?(/\A[[:alpha:]_][[:alnum:]_]*[?!]?\z/)

  def self._compile_method(source, file, line) = TOPLEVEL_BINDING.eval(source, file, line)
end
