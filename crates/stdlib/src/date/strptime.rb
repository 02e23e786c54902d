# frozen_string_literal: true

# Reading dates by a format, and making dates of what was read.
class Date
  class << self
    # Seconds east of UTC, or nil if the text names no zone.
    def zone_offset(zone)
      text = zone.downcase
      dst = text.sub!(/\s+(standard|daylight)\s+time\z/, "") ? $1 == "daylight" : text.sub!(/\s+dst\z/, "")
      if (offset = ZONES[text.strip.gsub(/\s+/, " ")])
        return dst ? offset + 3600 : offset
      end
      text = text[3..] if text.size > 3 && text.start_with?("gmt", "utc")
      m = /\A([-+])(\d*)(?:([:,.])(.*))?/.match(text) or return nil
      offset = clock_offset(m[2], m[3], m[4])
      offset && m[1] == "-" ? -offset : offset
    end

    # That of the digits behind the sign. Only hours that something divides from the rest must be some of a day.
    def clock_offset(digits, divider, rest)
      case divider
      when ":"
        h = digits.to_i
        min, s = rest.split(":", 2).map(&:to_i)
        min ||= 0
        s ||= 0
        h > 23 || min > 59 || s > 59 ? nil : h * 3600 + min * 60 + s
      when nil
        return digits.to_i * 3600 if digits.size < 3
        h, min, s = "0#{digits}"[-(digits.size + digits.size % 2)..].scan(/\d\d/).map(&:to_i)
        h * 3600 + min * 60 + (s || 0)
      else
        return nil if digits.to_i > 23
        # As far as seven digits; half of the last one goes to the even one.
        fraction = rest[/\A\d{0,7}/]
        n = fraction.to_i
        n += 1 if rest[fraction.size]&.between?((5 + (1 - n % 2)).to_s, "9")
        seconds = digits.to_i * 3600 + Rational(n * 3600, 10**fraction.size)
        seconds.denominator == 1 ? seconds.to_i : seconds
      end
    end
    private :clock_offset

    def _strptime(text, format = "%F")
      text = string_argument(text)
      found = {}
      pos = match_format(text, 0, format.to_str, found)
      return nil unless pos
      found[:leftover] = text[pos..] if pos < text.size
      if (cent = found.delete(:_cent))
        found[:cwyear] += cent * 100 if found[:cwyear]
        found[:year] += cent * 100 if found[:year]
      end
      if (half = found.delete(:_merid))
        found[:hour] = found[:hour] % 12 + half if found[:hour]
      end
      found
    end

    def strptime(text = "-4712-01-01", format = "%F", sg = ITALY)
      found = _strptime(text, format)
      raise Error, "invalid date" if nil.equal?(found)
      from_parts(found, sg)
    end

    # A date of this class from what a reader found.
    def from_parts(found, sg = ITALY)
      sg = Calendar.start(sg)
      raise Error, "invalid date" if nil.equal?(found) || found.empty?
      parts = complete(rewrite(found.dup))
      jd = day_of(parts, sg)
      raise Error, "invalid date" unless jd
      date_of(jd, parts, sg)
    end

    private

    def string_argument(text)
      return text if String === text
      string = String.try_convert(text)
      raise TypeError, "no implicit conversion of #{Asterism::Internal.convert_name(text)} into String" unless string
      string
    end

    def date_of(jd, _parts, sg) = make(jd, 0, 0, 0, sg)

    # Seconds since the epoch as day and time.
    def rewrite(parts)
      return parts unless (seconds = parts.delete(:seconds))
      seconds += parts[:offset] if parts[:offset]
      days, rest = seconds.divmod(86_400)
      whole, fraction = rest.divmod(1)
      parts[:jd] = 2_440_588 + days
      parts[:hour] = whole / 3600
      parts[:min] = whole % 3600 / 60
      parts[:sec] = whole % 60
      parts[:sec_fraction] = fraction
      parts
    end

    SETS = [
      [:time, %i[hour min sec]], [nil, []], [:ordinal, %i[year yday hour min sec]],
      [:civil, %i[year mon mday hour min sec]], [:jd, %i[jd hour min sec]],
      [:commercial, %i[cwyear cweek cwday hour min sec]], [:wday, %i[wday hour min sec]],
      [:wnum0, %i[year wnum0 wday hour min sec]], [:wnum1, %i[year wnum1 wday hour min sec]],
      [nil, %i[cwyear cweek wday hour min sec]], [nil, %i[year wnum0 cwday hour min sec]],
      [nil, %i[year wnum1 cwday hour min sec]]
    ].freeze
    private_constant :SETS

    # What is missing comes from today where it stands before what was given, and is the least otherwise.
    def complete(parts)
      kind, names = SETS.max_by.with_index { |(_, set), i| [set.count { |n| parts.key?(n) }, -i] }
      given = names.count { |n| parts.key?(n) }
      if given > 0 && given != names.size
        today = Date.today
        case kind
        when :ordinal
          parts[:year] ||= today.year
          parts[:yday] ||= 1
        when :civil
          from_today(parts, names, today)
          parts[:mon] ||= 1
          parts[:mday] ||= 1
        when :commercial
          from_today(parts, names, today)
          parts[:cweek] ||= 1
          parts[:cwday] ||= 1
        when :wday
          parts[:jd] ||= (today - today.wday + parts[:wday]).jd
        when :wnum0
          from_today(parts, names, today)
          parts[:wnum0] ||= 0
          parts[:wday] ||= 0
        when :wnum1
          from_today(parts, names, today)
          parts[:wnum1] ||= 0
          parts[:wday] ||= 1
        end
      end
      parts[:jd] ||= Date.today.jd if kind == :time && self <= DateTime
      parts[:hour] ||= 0
      parts[:min] ||= 0
      parts[:sec] = parts[:sec] == 60 ? 59 : parts[:sec] || 0
      parts
    end

    def from_today(parts, names, today)
      names.each do |name|
        break if parts[name]
        parts[name] = today.__send__(name)
      end
    end

    def day_of(parts, sg)
      return parts[:jd] if parts[:jd]
      year = parts[:year]
      if parts[:yday] && year && (jd = Calendar.valid_ordinal(year, parts[:yday], sg))
        return jd
      end
      if parts[:mday] && parts[:mon] && year && (jd = Calendar.valid_civil(year, parts[:mon], parts[:mday], sg))
        return jd
      end
      cwday = parts[:cwday] || (parts[:wday] && (parts[:wday] == 0 ? 7 : parts[:wday]))
      if cwday && parts[:cweek] && parts[:cwyear] && (jd = Calendar.valid_commercial(parts[:cwyear], parts[:cweek], cwday, sg))
        return jd
      end
      wday = parts[:wday] || (parts[:cwday] && (parts[:cwday] == 7 ? 0 : parts[:cwday]))
      if wday && parts[:wnum0] && year && (jd = Calendar.valid_weeknum(year, parts[:wnum0], wday, 0, sg))
        return jd
      end
      if wday && parts[:wnum1] && year && (jd = Calendar.valid_weeknum(year, parts[:wnum1], (wday - 1) % 7, 1, sg))
        return jd
      end
      nil
    end

    # `E` and `O` change nothing, but stand before some letters only.
    DIRECTIVE = /\G%(?:E(?=[cCxXyY])|O(?=[deHImMSuUVwWy])|:{1,3}(?=z))?([A-Za-z%+])/
    private_constant :DIRECTIVE

    # Where the text goes on behind what the format matches, or nil.
    def match_format(text, pos, format, found)
      i = 0
      while i < format.size
        c = format[i]
        if c.match?(/\s/)
          pos += 1 while pos < text.size && text[pos].match?(/\s/)
          i += 1
        elsif pos >= text.size
          return nil
        elsif c == "%" && (m = DIRECTIVE.match(format, i))
          after = format[m.end(0)..]
          pos = match_directive(text, pos, m[1], after, found)
          return nil unless pos
          i = m.end(0)
        else
          return nil unless text[pos] == c
          pos += 1
          i += 1
        end
      end
      pos
    end

    def digits(text, pos, width, signed = false)
      m = /\G#{signed ? '[-+]?' : ''}\d{1,#{width}}/.match(text, pos)
      m && [m[0].to_i, m.end(0)]
    end

    # Does a number follow at once? Then the one before has its full width only.
    def number_follows?(after)
      after.match?(/\A\d/) || after.match?(/\A%[EO]?[CDdeFGgHIjkLlMmNQRrSsTUuVvWwXxYy\d]/)
    end

    def put_number(text, pos, width, range, found, name, signed = false)
      n, pos = digits(text, pos, width, signed)
      return nil if nil.equal?(n) || (range && !range.cover?(n))
      found[name] = block_given? ? yield(n) : n
      pos
    end

    # Two digits, or a space and one.
    def put_padded(text, pos, range, found, name)
      text[pos] == " " ? put_number(text, pos + 1, 1, range, found, name) : put_number(text, pos, 2, range, found, name)
    end

    def match_name(text, pos, names, abbreviations)
      names.each_with_index do |name, i|
        next unless name
        [name, abbreviations[i]].each do |n|
          return [i, pos + n.size] if text[pos, n.size].casecmp?(n)
        end
      end
      nil
    end

    def match_directive(text, pos, directive, after, found)
      case directive
      when "A", "a"
        i, pos = match_name(text, pos, DAYNAMES, ABBR_DAYNAMES)
        found[:wday] = i if i
        pos
      when "B", "b", "h"
        i, pos = match_name(text, pos, MONTHNAMES, ABBR_MONTHNAMES)
        found[:mon] = i if i
        pos
      when "C" then put_number(text, pos, number_follows?(after) ? 2 : 100, nil, found, :_cent, true)
      when "c" then match_format(text, pos, "%a %b %e %H:%M:%S %Y", found)
      when "D", "x" then match_format(text, pos, "%m/%d/%y", found)
      when "d", "e" then put_padded(text, pos, 1..31, found, :mday)
      when "F" then match_format(text, pos, "%Y-%m-%d", found)
      when "G" then put_number(text, pos, number_follows?(after) ? 4 : 100, nil, found, :cwyear, true)
      when "g"
        put_number(text, pos, 2, 0..99, found, :cwyear) { |n| found[:_cent] ||= n >= 69 ? 19 : 20; n }
      when "H", "k" then put_padded(text, pos, 0..24, found, :hour)
      when "I", "l" then put_padded(text, pos, 1..12, found, :hour)
      when "j" then put_number(text, pos, 3, 1..366, found, :yday)
      when "L", "N"
        default = directive == "L" ? 3 : 9
        m = /\G[-+]?\d#{number_follows?(after) ? "{1,#{default}}" : '+'}/.match(text, pos) or return nil
        digits = m[0].delete("-+")
        found[:sec_fraction] = Rational(m[0].to_i, 10**digits.size)
        m.end(0)
      when "M" then put_number(text, pos, 2, 0..59, found, :min)
      when "m" then put_number(text, pos, 2, 1..12, found, :mon)
      when "n", "t" then match_format(text, pos, " ", found)
      when "P", "p"
        m = /\G([ap])(?:m\b|\.m\.)/i.match(text, pos) or return nil
        found[:_merid] = m[1].downcase == "p" ? 12 : 0
        m.end(0)
      when "Q"
        m = /\G-?\d+/.match(text, pos) or return nil
        found[:seconds] = Rational(m[0].to_i, 1000)
        m.end(0)
      when "R" then match_format(text, pos, "%H:%M", found)
      when "r" then match_format(text, pos, "%I:%M:%S %p", found)
      when "S" then put_number(text, pos, 2, 0..60, found, :sec)
      when "s"
        m = /\G-?\d+/.match(text, pos) or return nil
        found[:seconds] = m[0].to_i
        m.end(0)
      when "T", "X" then match_format(text, pos, "%H:%M:%S", found)
      when "U" then put_number(text, pos, 2, 0..53, found, :wnum0)
      when "W" then put_number(text, pos, 2, 0..53, found, :wnum1)
      when "u" then put_number(text, pos, 1, 1..7, found, :cwday)
      when "V" then put_number(text, pos, 2, 1..53, found, :cweek)
      when "v" then match_format(text, pos, "%e-%b-%Y", found)
      when "w" then put_number(text, pos, 1, 0..6, found, :wday)
      when "Y" then put_number(text, pos, number_follows?(after) ? 4 : 100, nil, found, :year, true)
      when "y"
        put_number(text, pos, 2, 0..99, found, :year) { |n| found[:_cent] ||= n >= 69 ? 19 : 20; n }
      when "Z", "z"
        m = /\G(?:(?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\s+time\b|(?-i:[[:alpha:]]+)(?:\s+dst)?\b)/i.match(text, pos)
        return nil unless m
        found[:zone] = m[0]
        found[:offset] = zone_offset(m[0])
        m.end(0)
      when "%" then text[pos] == "%" ? pos + 1 : nil
      when "+" then match_format(text, pos, "%a %b %e %H:%M:%S %Z %Y", found)
      else
        literal = "%#{directive}"
        text[pos, 2] == literal ? pos + 2 : nil
      end
    end
  end
end

class DateTime
  class << self
    def strptime(text = "-4712-01-01T00:00:00+00:00", format = "%FT%T%z", sg = Date::ITALY) = super

    def _strptime(text, format = "%FT%T%z") = super

    private

    def date_of(jd, parts, sg)
      seconds = Date::Calendar.valid_time(parts[:hour], parts[:min], parts[:sec]) or raise Date::Error, "invalid date"
      nanos = (parts[:sec_fraction] || 0) * 1_000_000_000
      nanos = nanos.to_i if nanos == nanos.to_i
      of = parts[:offset] || 0
      if of.abs > 86_400
        warn("invalid offset is ignored", uplevel: 2) if $VERBOSE
        of = 0
      end
      make(jd, seconds, nanos, of, sg)
    end
  end
end
