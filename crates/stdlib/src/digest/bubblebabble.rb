# Digests as words that can be spoken.

require "digest"

module Digest
  VOWELS, CONSONANTS = "aeiouy", "bcdfghklmnprstvzx"
  private_constant :VOWELS, :CONSONANTS

  def self.bubblebabble(text)
    string = String.try_convert(text)
    raise TypeError, "no implicit conversion of #{text.nil? ? "nil" : text.class} into String" unless string
    bytes = string.bytes
    seed = 1
    rounds = bytes.size / 2 + 1
    words = +"x"
    rounds.times do |i|
      last = i + 1 == rounds
      if last && bytes.size.even?
        words << VOWELS[seed % 6] << CONSONANTS[16] << VOWELS[seed / 6]
        next
      end
      first = bytes[2 * i]
      words << VOWELS[((first >> 6) + seed) % 6] << CONSONANTS[first >> 2 & 15] << VOWELS[((first & 3) + seed / 6) % 6]
      next if last
      second = bytes[2 * i + 1]
      words << CONSONANTS[second >> 4] << "-" << CONSONANTS[second & 15]
      seed = (seed * 5 + first * 7 + second) % 36
    end
    words << "x"
  end

  class Class
    def self.bubblebabble(text, ...) = Digest.bubblebabble(digest(text, ...))
  end

  module Instance
    def bubblebabble = Digest.bubblebabble(digest)
  end
end
