# frozen_string_literal: true

# Reading dates as people and standards write them.
class Date
  class << self
    def _parse(text, comp = true, limit: 128)
      text = limited(text, limit)
      text = text.gsub(%r{[^-+',./:@[:alnum:]\[\]]+}, " ")
      found = {}
      parse_day(text, found)
      parse_time(text, found)
      parse_eu(text, found) || parse_us(text, found) || parse_iso(text, found) || parse_jis(text, found) ||
        parse_vms(text, found) || parse_sla(text, found) || parse_dot(text, found) || parse_iso2(text, found) ||
        parse_year(text, found) || parse_mon(text, found) || parse_mday(text, found) || parse_ddd(text, found)
      parse_bc(text, found)
      parse_frac(text, found)
      bc = found.delete(:_bc)
      if bc
        found[:cwyear] = 1 - found[:cwyear] if found[:cwyear]
        found[:year] = 1 - found[:year] if found[:year]
      end
      if comp && found.fetch(:_comp, true)
        %i[cwyear year].each do |name|
          n = found[name]
          found[name] = n + (n >= 69 ? 1900 : 2000) if n && n >= 0 && n <= 99
        end
      end
      found.delete(:_comp)
      found[:offset] ||= zone_offset(found[:zone]) if found[:zone]
      found
    end

    def parse(text = "-4712-01-01", comp = true, sg = ITALY, limit: 128)
      from_parts(_parse(text, comp, limit: limit), sg)
    end

    # With hyphens and colons, without them, and times alone.
    ISO_FORMS = [
      /\A\s*(?:(?<year>[-+]?\d{2,}|-)-(?<mon>\d{2})?(?:-(?<mday>\d{2}))?|(?<year>[-+]?\d{2,})?-(?<yday>\d{3})|
        (?<cwyear>\d{4}|\d{2})?-w(?<cweek>\d{2})-(?<cwday>\d)|-w-(?<cwday>\d))
        (?:t(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[.,](?<fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/xi,
      /\A\s*(?:(?<year>[-+]?(?:\d{4}|\d{2})|--)(?<mon>\d{2}|-)(?<mday>\d{2})|(?<year>[-+]?(?:\d{4}|\d{2}))(?<yday>\d{3})|-(?<yday>\d{3})|
        (?<cwyear>\d{4}|\d{2})w(?<cweek>\d{2})(?<cwday>\d)|-w(?<cweek>\d{2})(?<cwday>\d)|-w-(?<cwday>\d))
        (?:t?(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[.,](?<fraction>\d+))?)?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/xi,
      /\A\s*(?<hour>\d{2}):(?<min>\d{2})(?::(?<sec>\d{2})(?:[.,](?<fraction>\d+))?(?<zone>z|[-+]\d{2}(?::?\d{2})?)?)?\s*\z/i,
      /\A\s*(?<hour>\d{2})(?<min>\d{2})(?:(?<sec>\d{2})(?:[.,](?<fraction>\d+))?(?<zone>z|[-+]\d{2}(?:\d{2})?)?)?\s*\z/i
    ].freeze
    private_constant :ISO_FORMS

    def _iso8601(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      ISO_FORMS.each do |form|
        m = form.match(text) or next
        return iso_parts(m.named_captures(symbolize_names: true))
      end
      {}
    end

    def iso8601(text = "-4712-01-01", sg = ITALY, limit: 128) = from_parts(_iso8601(text, limit: limit), sg)

    def _rfc3339(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      m = /\A\s*(-?\d{4})-(\d{2})-(\d{2})(?:t|\s)(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(z|[-+]\d{2}:\d{2})\s*\z/i.match(text)
      return {} unless m
      found = { year: m[1].to_i, mon: m[2].to_i, mday: m[3].to_i, hour: m[4].to_i, min: m[5].to_i, sec: m[6].to_i }
      found[:zone] = m[8]
      found[:offset] = zone_offset(m[8])
      found[:sec_fraction] = Rational(m[7].to_i, 10**m[7].size) if m[7]
      found
    end

    def rfc3339(text = "-4712-01-01T00:00:00+00:00", sg = ITALY, limit: 128)
      from_parts(_rfc3339(text, limit: limit), sg)
    end

    def _xmlschema(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      found = {}
      if (m = /\A\s*(-?\d{4,})(?:-(\d{2})(?:-(\d{2}))?)?(?:t(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?)?(z|[-+]\d{2}(?::\d{2})?)?\s*\z/i.match(text))
        found[:year] = m[1].to_i
        found[:mon] = m[2].to_i if m[2]
        found[:mday] = m[3].to_i if m[3]
        iso_time(m, 4, found)
      elsif (m = /\A\s*(\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(z|[-+]\d{2}(?::\d{2})?)?\s*\z/i.match(text))
        iso_time(m, 1, found)
      elsif (m = /\A\s*(?:--(\d{2})(?:-(\d{2}))?|---(\d{2}))(z|[-+]\d{2}(?::\d{2})?)?\s*\z/i.match(text))
        found[:mon] = m[1].to_i if m[1]
        found[:mday] = (m[2] || m[3]).to_i if m[2] || m[3]
        if m[4]
          found[:zone] = m[4]
          found[:offset] = zone_offset(m[4])
        end
      end
      found
    end

    def xmlschema(text = "-4712-01-01", sg = ITALY, limit: 128) = from_parts(_xmlschema(text, limit: limit), sg)

    def _rfc2822(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      m = /\A\s*(?:(?:(sun|mon|tue|wed|thu|fri|sat)\s*,\s+)?(\d{1,2})\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+(-?\d{2,})\s+(\d{2}):(\d{2})(?::(\d{2}))?\s*([-+]\d{2}\d{2}|[-[:alpha:]]+))\s*\z/i.match(text)
      return {} unless m
      year = m[4].to_i
      year += year >= 50 ? 1900 : 2000 if m[4].size < 4
      found = {}
      found[:wday] = index_of(ABBR_DAYNAMES, m[1]) if m[1]
      found.update(mday: m[2].to_i, mon: index_of(ABBR_MONTHNAMES, m[3]), year: year, hour: m[5].to_i, min: m[6].to_i)
      found[:sec] = m[7].to_i if m[7]
      found[:zone] = m[8]
      found[:offset] = zone_offset(m[8])
      found
    end
    alias _rfc822 _rfc2822

    def rfc2822(text = "Mon, 1 Jan -4712 00:00:00 +0000", sg = ITALY, limit: 128)
      from_parts(_rfc2822(text, limit: limit), sg)
    end
    alias rfc822 rfc2822

    def _httpdate(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      found = {}
      if (m = /\A\s*(sun|mon|tue|wed|thu|fri|sat)\s*,\s+(\d{2})\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+(-?\d{4})\s+(\d{2}):(\d{2}):(\d{2})\s+(gmt)\s*\z/i.match(text))
        found.update(wday: index_of(ABBR_DAYNAMES, m[1]), mday: m[2].to_i, mon: index_of(ABBR_MONTHNAMES, m[3]), year: m[4].to_i)
        found.update(hour: m[5].to_i, min: m[6].to_i, sec: m[7].to_i, zone: m[8], offset: 0)
      elsif (m = /\A\s*(sunday|monday|tuesday|wednesday|thursday|friday|saturday)\s*,\s+(\d{2})\s*-\s*(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s*-\s*(\d{2})\s+(\d{2}):(\d{2}):(\d{2})\s+(gmt)\s*\z/i.match(text))
        year = m[4].to_i
        year += year >= 69 ? 1900 : 2000
        found.update(wday: index_of(DAYNAMES, m[1]), mday: m[2].to_i, mon: index_of(ABBR_MONTHNAMES, m[3]), year: year)
        found.update(hour: m[5].to_i, min: m[6].to_i, sec: m[7].to_i, zone: m[8], offset: 0)
      elsif (m = /\A\s*(sun|mon|tue|wed|thu|fri|sat)\s+(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\s+(\d{1,2})\s+(\d{2}):(\d{2}):(\d{2})\s+(\d{4})\s*\z/i.match(text))
        found.update(wday: index_of(ABBR_DAYNAMES, m[1]), mon: index_of(ABBR_MONTHNAMES, m[2]), mday: m[3].to_i)
        found.update(hour: m[4].to_i, min: m[5].to_i, sec: m[6].to_i, year: m[7].to_i)
      end
      found
    end

    def httpdate(text = "Mon, 01 Jan -4712 00:00:00 GMT", sg = ITALY, limit: 128)
      from_parts(_httpdate(text, limit: limit), sg)
    end

    def _jisx0301(text, limit: 128)
      return {} if nil.equal?(text)
      text = limited(text, limit)
      m = /\A\s*([mtshr])?(\d{2})\.(\d{2})\.(\d{2})(?:t(?:(\d{2}):(\d{2})(?::(\d{2})(?:[,.](\d*))?)?(z|[-+]\d{2}(?::?\d{2})?)?)?)?\s*\z/i.match(text)
      return _iso8601(text, limit: limit) unless m
      found = { year: m[2].to_i + era_start(m[1] || "h"), mon: m[3].to_i, mday: m[4].to_i }
      iso_time(m, 5, found)
      found
    end

    def jisx0301(text = "-4712-01-01", sg = ITALY, limit: 128) = from_parts(_jisx0301(text, limit: limit), sg)

    private

    def limited(text, limit)
      text = string_argument(text)
      if limit && text.size > limit
        raise ArgumentError, "string length (#{text.size}) exceeds the limit #{limit}"
      end
      text
    end

    def era_start(letter) = { "m" => 1867, "t" => 1911, "s" => 1925, "h" => 1988, "r" => 2018 }[letter.downcase]

    def index_of(names, text)
      text = text.downcase
      names.index { |n| n && n.downcase == text }
    end

    # What a form of ISO 8601 has found. Hyphens stand for what is left out.
    def iso_parts(groups)
      found = {}
      %i[mday yday cweek cwday].each { |name| found[name] = groups[name].to_i if groups[name] }
      %i[year cwyear].each do |name|
        text = groups[name]
        next if nil.equal?(text) || text.match?(/\A--?\z/)
        n = text.to_i
        found[name] = text.size < 4 ? n + (n >= 69 ? 1900 : 2000) : n
      end
      mon = groups[:mon]
      # A year and a day make no date.
      return found if found[:year] && !found[:yday] && (nil.equal?(mon) || mon == "-")
      found[:mon] = mon.to_i if mon && mon != "-"
      %i[hour min sec].each { |name| found[name] = groups[name].to_i if groups[name] }
      if (fraction = groups[:fraction])
        found[:sec_fraction] = Rational(fraction.to_i, 10**fraction.size)
      end
      if (zone = groups[:zone])
        found[:zone] = zone
        found[:offset] = zone_offset(zone)
      end
      found
    end

    # Hour, minute, second, fraction and zone are the groups from `i`.
    def iso_time(m, i, found)
      found[:hour] = m[i].to_i if m[i]
      found[:min] = m[i + 1].to_i if m[i + 1]
      found[:sec] = m[i + 2].to_i if m[i + 2]
      fraction = m[i + 3]
      found[:sec_fraction] = Rational(fraction.to_i, 10**fraction.size) if fraction && !fraction.empty?
      return unless (zone = m[i + 4])
      found[:zone] = zone
      found[:offset] = zone_offset(zone)
    end

    def parse_day(text, found)
      return unless text.sub!(/\b(sun|mon|tue|wed|thu|fri|sat)[^-\/\d\s]*/i, " ")
      found[:wday] = index_of(ABBR_DAYNAMES, $1)
    end

    TIME = /(\d+\s*h(?:\s*\d+m?(?:\s*\d+s?)?)?|\d+\s*:\s*\d+(?:\s*:\s*\d+(?:[,.]\d*)?)?|\d+\s*(?=[ap](?:m\b|\.m\.)))(?:\s*([ap])(?:m\b|\.m\.))?(?:\s*((?:gmt|utc?)?[-+]\d+(?:[,.:]\d+(?::\d+)?)?|(?-i:[[:alpha:].\s]+)(?:standard|daylight)\stime\b|(?-i:[[:alpha:]]+)(?:\sdst)?\b))?/i
    private_constant :TIME

    def parse_time(text, found)
      return unless (m = TIME.match(text))
      text[m.begin(0)...m.end(0)] = " "
      clock = m[1]
      found[:zone] = m[3] if m[3]
      if (c = /\A(\d+)\s*h(?:\s*(\d+)m?(?:\s*(\d+)(?:[,.](\d+))?s?)?)?/i.match(clock) || /\A(\d+)(?:\s*:?\s*(\d+)(?:\s*:?\s*(\d+)(?:[,.](\d*))?)?)?/.match(clock))
        hour = c[1].to_i
        if m[2]
          hour %= 12
          hour += 12 if m[2].downcase == "p"
        end
        found[:hour] = hour
        found[:min] = c[2].to_i if c[2]
        found[:sec] = c[3].to_i if c[3]
        found[:sec_fraction] = Rational(c[4].to_i, 10**c[4].size) if c[4] && !c[4].empty?
      end
    end

    MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
    private_constant :MONTHS

    def parse_eu(text, found)
      return false unless text.sub!(/'?(\d+)[^-\d\s]*\s*(#{MONTHS})[^-\d\s']*(?:\s*(c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?\s*('?-?\d+(?:(?:st|nd|rd|th)\b)?))?/i, " ")
      mday, mon, bc, year = $1, $2, $3, $4
      put_ymd(found, year, index_of(ABBR_MONTHNAMES, mon), mday, bc&.match?(/\Ab/i))
      true
    end

    def parse_us(text, found)
      return false unless text.sub!(/\b(#{MONTHS})[^-\d\s']*\s*('?\d+)[^-\d\s']*(?:\s*,?\s*(c(?:e|\.e\.)|b(?:ce|\.c\.e\.)|a(?:d|\.d\.)|b(?:c|\.c\.))?\s*('?-?\d+))?/i, " ")
      mon, mday, bc, year = $1, $2, $3, $4
      put_ymd(found, year, index_of(ABBR_MONTHNAMES, mon), mday, bc&.match?(/\Ab/i))
      true
    end

    def parse_iso(text, found)
      return false unless text.sub!(/('?[-+]?\d+)-(\d+)-('?-?\d+)/, " ")
      put_ymd(found, $1, $2, $3)
      true
    end

    def parse_iso2(text, found)
      if text.sub!(/\b(\d{2}|\d{4})?-?w(\d{2})(?:-?(\d))?\b/i, " ")
        year, week, day = $1, $2, $3
        found[:cwyear] = year.to_i if year
        found[:cweek] = week.to_i
        found[:cwday] = day.to_i if day
        true
      elsif text.sub!(/-w-(\d)\b/i, " ")
        found[:cwday] = $1.to_i
        true
      elsif text.sub!(/--(\d{2})?-(\d{2})\b/, " ")
        mon, day = $1, $2
        found[:mon] = mon.to_i if mon
        found[:mday] = day.to_i
        true
      elsif text.sub!(/--(\d{2})(\d{2})?\b/, " ")
        mon, day = $1, $2
        found[:mon] = mon.to_i
        found[:mday] = day.to_i if day
        true
      elsif !text.match?(/[,.](\d{2}|\d{4})-\d{3}\b/) && text.sub!(/\b(\d{2}|\d{4})-(\d{3})\b/, " ")
        found[:year] = $1.to_i
        found[:yday] = $2.to_i
        true
      elsif !text.match?(/\d-\d{3}\b/) && text.sub!(/\b-(\d{3})\b/, " ")
        found[:yday] = $1.to_i
        true
      else
        false
      end
    end

    def parse_jis(text, found)
      return false unless text.sub!(/\b([mtshr])(\d+)\.(\d+)\.(\d+)/i, " ")
      era, year, mon, day = $1, $2, $3, $4
      found.update(year: year.to_i + era_start(era), mon: mon.to_i, mday: day.to_i)
      true
    end

    def parse_vms(text, found)
      if text.sub!(/('?-?\d+)-(#{MONTHS})[^-\/.]*-('?-?\d+)/i, " ")
        put_ymd(found, $3, index_of(ABBR_MONTHNAMES, $2), $1)
        true
      elsif text.sub!(/\b(#{MONTHS})[^-\/.]*-('?-?\d+)(?:-('?-?\d+))?/i, " ")
        put_ymd(found, $3, index_of(ABBR_MONTHNAMES, $1), $2)
        true
      else
        false
      end
    end

    def parse_sla(text, found)
      return false unless text.sub!(%r{('?-?\d+)/\s*('?\d+)(?:\D\s*('?-?\d+))?}, " ")
      put_ymd(found, $1, $2, $3)
      true
    end

    def parse_dot(text, found)
      return false unless text.sub!(/('?-?\d+)\.\s*('?\d+)\.\s*('?-?\d+)/, " ")
      put_ymd(found, $1, $2, $3)
      true
    end

    def parse_year(text, found)
      return false unless text.sub!(/'(\d+)\b/, " ")
      found[:year] = $1.to_i
      true
    end

    def parse_mon(text, found)
      return false unless text.sub!(/\b(#{MONTHS})\S*/i, " ")
      found[:mon] = index_of(ABBR_MONTHNAMES, $1)
      true
    end

    def parse_mday(text, found)
      return false unless text.sub!(/(\d+)(st|nd|rd|th)\b/i, " ")
      found[:mday] = $1.to_i
      true
    end

    def parse_bc(text, found)
      found[:_bc] = true if text.sub!(/\b(bc\b|bce\b|b\.c\.|b\.c\.e\.)/i, " ")
    end

    # A number that is left is what is missing of hour and day.
    def parse_frac(text, found)
      return unless (found[:hour] || found[:mday]) && !(found[:hour] && found[:mday]) && text.sub!(/\A\s*(\d{1,2})\s*\z/i, " ")
      n = $1.to_i
      if found[:hour]
        found[:mday] = n if (1..31).cover?(n)
      elsif (0..24).cover?(n)
        found[:hour] = n
      end
    end

    # Digits without anything between.
    def parse_ddd(text, found)
      pattern = /([-+]?)(\d{2,14})(?:\s*t?\s*(\d{2,6})?(?:[,.](\d*))?)?(z\b|[-+]\d{1,4}\b|\[[-+]?\d[^\]]*\]|\[[-a-z][^\]]*\])?/i
      return false unless text.sub!(pattern, " ")
      sign, digits, clock, fraction, zone = $1, $2, $3, $4, $5
      negative = sign == "-"
      take = ->(name, at, n) { found[name] = digits[at, n].to_i }
      backwards = nil.equal?(clock) && fraction
      case digits.size
      when 2
        backwards ? take.(:sec, -2, 2) : take.(:mday, 0, 2)
      when 4
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -4, 2)
        else
          take.(:mon, 0, 2)
          take.(:mday, 2, 2)
        end
      when 6
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -4, 2)
          take.(:hour, -6, 2)
        else
          found[:year] = (sign + digits[0, 2]).to_i
          take.(:mon, 2, 2)
          take.(:mday, 4, 2)
        end
      when 8, 10, 12, 14
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -4, 2)
          take.(:hour, -6, 2)
          take.(:mday, -8, 2)
          take.(:mon, -10, 2) if digits.size >= 10
          found[:year] = (sign + digits[-12, 2]).to_i if digits.size == 12
          if digits.size == 14
            found[:year] = (sign + digits[-14, 4]).to_i
            found[:_comp] = false
          end
        else
          found[:year] = (sign + digits[0, 4]).to_i
          take.(:mon, 4, 2)
          take.(:mday, 6, 2)
          take.(:hour, 8, 2) if digits.size >= 10
          take.(:min, 10, 2) if digits.size >= 12
          take.(:sec, 12, 2) if digits.size >= 14
          found[:_comp] = false
        end
      when 3
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -3, 1)
        else
          take.(:yday, 0, 3)
        end
      when 5
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -4, 2)
          take.(:hour, -5, 1)
        else
          found[:year] = (sign + digits[0, 2]).to_i
          take.(:yday, 2, 3)
        end
      when 7
        if backwards
          take.(:sec, -2, 2)
          take.(:min, -4, 2)
          take.(:hour, -6, 2)
          take.(:mday, -7, 1)
        else
          found[:year] = (sign + digits[0, 4]).to_i
          take.(:yday, 4, 3)
        end
      end
      if clock
        if fraction
          names = %i[sec min hour]
          parts = [clock[-2, 2], clock[-4, 2], clock[-6, 2]]
        else
          names = %i[hour min sec]
          parts = [clock[0, 2], clock[2, 2], clock[4, 2]]
        end
        names.zip(parts) { |name, part| found[name] = part.to_i if part && !part.empty? }
      end
      found[:sec_fraction] = Rational(fraction.to_i, 10**fraction.size) if fraction && !fraction.empty?
      if zone
        if zone.start_with?("[")
          name = zone[1..-2]
          offset, _, label = name.partition(":")
          label = offset if label.empty?
          found[:zone] = label
          offset = "+#{offset}" if offset.match?(/\A\d/)
          found[:offset] = zone_offset(offset)
        else
          found[:zone] = zone
          found[:offset] = zone_offset(zone)
        end
      end
      negative || true
    end

    # Three numbers that stand for year, month and day in some order.
    def put_ymd(found, year, mon, mday, bc = false)
      year, mon, mday = [year, mon, mday].map { |v| v && v.to_s }
      if year && mon && nil.equal?(mday)
        # Only two are given: they are month and day.
        year, mon, mday = mday, year, mon
      end
      if nil.equal?(year)
        if mday && mday.size > 2
          year, mday = mday, nil
        elsif mday && mday.start_with?("'")
          year, mday = mday, nil
        end
      end
      if year && (m = /[^-+\d]*([-+]?\d+)\D/.match(year)) && !/\A[-+']/.match?(year) && year.match?(/\d(?:st|nd|rd|th)\b/i)
        year, mday = mday, m[1]
      end
      if mon && (mon.start_with?("'") || mon.size > 2)
        # Month first: month, day, year.
        year, mon, mday = mon, mday, year
      end
      if mday && (mday.start_with?("'") || mday.size > 2)
        year, mday = mday, year
      end
      if year && (m = /('|[-+])?(\d+)/.match(year))
        found[:_comp] = false if m[1] == "-" || m[1] == "+" || (m[1] != "'" && m[2].size > 2)
        found[:year] = (m[1] == "-" ? "-#{m[2]}" : m[2]).to_i
      end
      found[:_bc] = true if bc
      found[:mon] = mon[/\d+/].to_i if mon && mon[/\d+/]
      found[:mday] = mday[/\d+/].to_i if mday && mday[/\d+/]
    end
  end
end

class DateTime
  class << self
    def parse(text = "-4712-01-01T00:00:00+00:00", comp = true, sg = Date::ITALY, limit: 128) = super

    %i[iso8601 rfc3339 xmlschema jisx0301].each do |name|
      define_method(name) { |text = "-4712-01-01T00:00:00+00:00", sg = Date::ITALY, limit: 128| super(text, sg, limit: limit) }
    end

    def rfc2822(text = "Mon, 1 Jan -4712 00:00:00 +0000", sg = Date::ITALY, limit: 128) = super
    alias rfc822 rfc2822

    def httpdate(text = "Mon, 01 Jan -4712 00:00:00 GMT", sg = Date::ITALY, limit: 128) = super
  end
end
