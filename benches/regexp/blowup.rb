# frozen_string_literal: true

# Patterns known for exponential or quadratic searches, with those of advisories on Ruby's own libraries as they work, each
# in a subject that makes it search long. Given a size it times them in subjects of about so many bytes; `Blowup.each` is
# what a test runs in small ones. A search is ended after two seconds.
module Blowup
  # Name, pattern, and the subject's beginning, what is repeated, and its end.
  CASES = [
    ["alternatives alike", /^(a|a)*$/, "", "a", "!"],
    ["nested plus", /^(a+)+$/, "", "a", "!"],
    ["nested star", /^(a*)*$/, "", "a", "!"],
    ["plus of alternatives", /^(a|aa)+$/, "", "a", "!"],
    ["alternatives, one empty", /^(?:a|b|ab)*c$/, "", "ab", "!"],
    ["optional then all", /^(a?a)*b$/, "", "a", "!"],
    ["three nested", /^((a+)+)+$/, "", "a", "!"],
    ["overlapping classes", /^(\w|\d)+$/, "", "1", "!"],
    ["words and blanks", /^(\w+\s?)*$/, "", "word ", "!"],
    ["identifiers", /^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*@/, "", "a", "!"],
    ["mail address", /^([a-zA-Z0-9_.-]+)*@([a-zA-Z0-9-]+\.)+[a-z]{2,}$/, "", "a", "!"],
    ["mail address, domain", /\A[^@\s]+@([^@\s]+\.)+[^@\s]+\z/, "a@", "a.", "@"],
    ["host name", /\A(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]+\z/, "", "a", "!"],
    ["domain labels", /^(([a-z])+.)+[A-Z]([a-z])+$/, "", "a", "!"],
    ["decimal", /^\d+(,\d+)*(\.\d*)*$/, "", "1,1", "x"],
    ["float", /^[+-]?(\d+\.?)+\d*$/, "", "1", "x"],
    ["quoted string", /^"(\\"|[^"])*"$/, "\"", "\\\"", ""],
    ["quoted string, nested", /^"([^"\\]+|\\.)*"$/, "\"", "a\\\"", ""],
    ["comment", %r{/\*(?:[^*]|\*[^/])*\*/}, "/*", "* ", ""],
    ["comment, lazy", %r{/\*.*?\*/}m, "", "/*", ""],
    ["tags", /<(\w+)[^>]*>.*?<\/\1>/m, "", "<b>", ""],
    ["attributes", /<\w+(?:\s+\w+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?)*\s*>/, "<a", " a=b", "<"],
    ["unclosed tags", /<[^<>]*>/, "", "<a", ""],
    ["trailing blanks", /\s+$/, "a", " ", "a"],
    ["trailing blanks, anchored", /[ \t]+\z/, "a", " ", "a"],
    ["stripped", /\A\s*(.*?)\s*\z/, "", " ", "a\n\n"],
    ["dots", /.*.*=.*/, "", "x", ""],
    ["dots and an end", /^(.*)*x$/, "", "a", "!"],
    ["lines", /^(.+\n)+end$/, "", "a\n", "!"],
    ["two greedy blanks", /\s*\n\s*x/, "", " ", "y"],
    ["three greedy", /a*a*a*b/, "", "a", "c"],
    ["counted", /^(a{1,3}){1,30}$/, "", "a", "!"],
    ["counted in a repeat", /^(?:a{2,5}b?)+$/, "", "a", "!"],
    ["possessive", /^(?:a++)+b/, "", "a", "!"],
    ["atomic", /^(?>a+)+b/, "", "a", "!"],
    ["look-ahead", /^(?:(?=a)a|aa)+$/, "", "a", "!"],
    ["look-behind", /(?:(?<=a)a|a)+b/, "", "a", "!"],
    ["backreference", /(a+)\1b/, "", "a", "!"],
    ["lazy in greedy", /^(?:a+?)+$/, "", "a", "!"],
    ["case-insensitive", /^(ss|ß|s)+$/i, "", "s", "!"],
    ["letters of Unicode", /^(\p{L}|\p{Ll}+)+$/, "", "é", "!"],
    ["clusters", /^(\X+)+$/, "", "e", "\n\n!"],
    ["version (rubygems)", /\A\s*([0-9]+(\.[0-9a-zA-Z]+)*)*\s*\z/, "", "1.1", "!"],
    ["version, prerelease (rubygems)", /\A\s*([0-9]+(?>\.[0-9a-zA-Z]+)*(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?)?\s*\z/, "1-", "a.", "!"],
    ["date (time)", /\A\s*(?:(?:Mon|Tue)\s*,\s*)?(\d{1,2})\s+([A-Z][a-z]+)\s+(\d{2,})\s+(\d{2})\s*:\s*(\d{2})/, "", " ", "x"],
    ["date parts (date)", /\b(\d+)[^-\d]*\s*-\s*(\d+)\b/, "", "1 ", "x"],
    ["ordinals (date)", /(?:\b|^)'?(\d+)(?:(?:st|nd|rd|th)\b)?\s*(jan|feb)\S*/i, "", "1", "x"],
    ["query (uri)", /\A(?<scheme>[a-z][a-z0-9+.-]*):(?<path>(?:[a-z0-9._~-]|%\h\h)*)\?(?<query>(?:[^\[\]#]|%\h\h)*)\z/i, "a:a?", "a", "#"],
    ["user information (uri)", /\A(?:[^:@\/]+(?::[^@\/]*)*@)?[^@:\/]+(?::\d*)?\z/, "", "a:", "/"],
    ["ftp path (uri)", %r{\A(?:/[^/;]*)*(?:;type=[aid])?\z}, "", "/a", ";"],
    ["cookie (cgi)", /\A\s*([^=;\s]+)\s*=\s*("[^"]*"|[^;]*)\s*(?:;\s*|\z)/, "a=", " ", ""],
    ["element (cgi)", /<\/?(?:a|b)\b(?:[^<>]*?)>?/, "", "<a ", ""],
    ["character entities (rexml)", /&#0*(?:(\d+)|x([a-fA-F0-9]+));/, "", "&#0", "x"],
    ["attribute values (rexml)", /\s*([\w:-]+)\s*=\s*(["'])(.*?)\2/m, "a=", "'", "\""],
    ["processing instruction (rexml)", /<\?([\w:]+)(\s+.*?)?\?>/m, "<?a", " ", ""],
    ["document type (rexml)", /<!DOCTYPE\s+\S+(?:\s+(?:PUBLIC|SYSTEM)\s+"[^"]*")?\s*(?:\[|>)/, "<!DOCTYPE a", " ", "x"],
    ["authentication (webrick)", /([\w-]+)\s*=\s*(?:"((?:\\"|[^"])*)"|([^\s,]+))/, "a", " ", "x"],
    ["multipart (rack)", /\s*;\s*([\w-]+)=(?:"((?:\\"|[^"])*)"|[^;\s]+)*;?\z/, ";a=\"", "\\\"", "x"],
    ["byte ranges (rack)", /\Abytes=((?:\d*-\d*)(?:,\s*\d*-\d*)*)\z/, "bytes=", "1-2,", "x"],
    ["underscores (activesupport)", /([A-Z\d]+)([A-Z][a-z])|([a-z\d])([A-Z])/, "", "A", "1"],
    ["host (actionpack)", /\A(?<host>[a-z0-9.-]+|\[[a-f0-9]*:[a-f0-9.:]+\])(?::\d+)?\z/, "", "a.", "!"],
    ["front matter (kramdown)", /^(?:(?:\s*\n)*---\s*\n)+(.*?)^---/m, "---\n", " \n", "x"],
  ].freeze

  # Each case's name and pattern with a subject of about so many bytes.
  def self.each(size)
    CASES.each do |name, pattern, head, body, tail|
      yield name, pattern, "#{head}#{body * (size / body.bytesize)}#{tail}"
    end
  end
end

if __FILE__ == $PROGRAM_NAME
  require_relative "cases"
  Regexp.timeout = 2.0
  Blowup.each((ARGV[0] || 100_000).to_i) do |name, pattern, subject|
    begun = Cases.clock
    found = begin
      pattern.match(subject)&.begin(0)
    rescue Regexp::TimeoutError
      :late
    end
    # What is late on one Ruby need not be on another one.
    Cases.say("#{name}#{" (late)" if found == :late}", Cases.clock - begun, found)
  end
end
