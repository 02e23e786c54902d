# encoding: us-ascii
# frozen_string_literal: true

# Dates as text.
class Date
  def strftime(format = "%F")
    format = format.to_str
    text = format.gsub(/%([-0^#_+]*)(\d+)?(?:E(?=[cCxXyY])|O(?=[deHkIlmMSuUVwWy]))?(:{0,3})([A-Za-z%+])/m) do
      whole, flags, width, colons, directive = $&, $1, $2, $3, $4
      next whole if !colons.empty? && directive != "z"
      raise Errno::ERANGE if width && width.size > 4
      expand(directive, flags, width && width.to_i, colons.size) || whole
    end
    # Longer than that is refused.
    raise Errno::ERANGE, format if text.bytesize >= 1024 << (format.bytesize - 1).bit_length
    text.force_encoding(format.encoding)
  end

  # One directive; nil if there is none such.
  def expand(directive, flags, width, colons)
    case directive
    when "Y"
      y = year
      number(y, y < 0 ? 5 : 4, "0", flags, width)
    when "C" then number(year.div(100), 2, "0", flags, width)
    when "y" then number(year % 100, 2, "0", flags, width)
    when "m" then number(month, 2, "0", flags, width)
    when "B" then name(MONTHNAMES[month], flags, width)
    when "b", "h" then name(ABBR_MONTHNAMES[month], flags, width)
    when "d" then number(day, 2, "0", flags, width)
    when "e" then number(day, 2, " ", flags, width)
    when "j" then number(yday, 3, "0", flags, width)
    when "H" then number(hour, 2, "0", flags, width)
    when "k" then number(hour, 2, " ", flags, width)
    when "I" then number((hour + 11) % 12 + 1, 2, "0", flags, width)
    when "l" then number((hour + 11) % 12 + 1, 2, " ", flags, width)
    when "P" then name(hour < 12 ? "am" : "pm", flags, width)
    when "p" then name(hour < 12 ? "AM" : "PM", flags.include?("#") ? flags + "v" : flags, width)
    when "M" then number(min, 2, "0", flags, width)
    when "S" then number(sec, 2, "0", flags, width)
    when "L", "N"
      digits = width || (directive == "L" ? 3 : 9)
      (sec_fraction * 10**digits).floor.to_s.rjust(digits, "0")
    when "z" then zone_text(colons, flags, width)
    when "Z" then name(zone, flags, width)
    when "A" then name(DAYNAMES[wday], flags, width)
    when "a" then name(ABBR_DAYNAMES[wday], flags, width)
    when "u" then number(cwday, 1, "0", flags, width)
    when "w" then number(wday, 1, "0", flags, width)
    when "G" then number(cwyear, cwyear < 0 ? 5 : 4, "0", flags, width)
    when "g" then number(cwyear % 100, 2, "0", flags, width)
    when "V" then number(cweek, 2, "0", flags, width)
    when "U" then number(Calendar.jd_to_weeknum(jd, 0, @sg)[1], 2, "0", flags, width)
    when "W" then number(Calendar.jd_to_weeknum(jd, 1, @sg)[1], 2, "0", flags, width)
    when "s" then number((@jd - 2_440_588) * 86_400 + @df, 1, "0", flags, width)
    when "Q" then number(((@jd - 2_440_588) * 86_400 + @df) * 1000 + (@sf / 1_000_000).floor, 1, "0", flags, width)
    when "n" then name("\n", flags, width)
    when "t" then name("\t", flags, width)
    when "%" then name("%", flags, width)
    when "c" then name(strftime("%a %b %e %H:%M:%S %Y"), flags, width)
    when "D", "x" then name(strftime("%m/%d/%y"), flags, width)
    when "F" then name(strftime("%Y-%m-%d"), flags, width)
    when "v" then name(strftime("%e-%^b-%Y"), flags, width)
    when "X", "T" then name(strftime("%H:%M:%S"), flags, width)
    when "R" then name(strftime("%H:%M"), flags, width)
    when "r" then name(strftime("%I:%M:%S %p"), flags, width)
    when "+" then name(strftime("%a %b %e %H:%M:%S %Z %Y"), flags, width)
    end
  end
  private :expand

  def number(n, digits, pad, flags, width)
    return n.to_s if flags.include?("-")
    case flags[/[0_](?=[^0_]*\z)/]
    when "0" then pad = "0"
    when "_" then pad = " "
    end
    width ||= digits
    return n.to_s.rjust(width, pad) if n >= 0 || pad == " "
    "-" + n.abs.to_s.rjust(width - 1, pad)
  end
  private :number

  def name(text, flags, width)
    if flags.include?("^")
      text = text.upcase
    elsif flags.include?("v")
      text = text.downcase
    elsif flags.include?("#")
      text = text.swapcase == text ? text : text.upcase
    end
    width && !flags.include?("-") ? text.rjust(width, flags.match?(/0[^_]*\z/) ? "0" : " ") : text
  end
  private :name

  def zone_text(colons, flags, width)
    sign = @of < 0 ? "-" : "+"
    h = @of.abs / 3600
    m = @of.abs % 3600 / 60
    s = @of.abs % 60
    rest =
      case colons
      when 0 then format("%02d", m)
      when 1 then format(":%02d", m)
      when 2 then format(":%02d:%02d", m, s)
      else s != 0 ? format(":%02d:%02d", m, s) : m != 0 ? format(":%02d", m) : ""
      end
    hours = (width || 0) - rest.size - 1
    if flags.include?("-")
      "#{sign}#{h}#{rest}"
    elsif flags.include?("_")
      "#{sign}#{h}".rjust(hours + 1 < 3 ? 3 : hours + 1) + rest
    else
      sign + h.to_s.rjust(hours < 2 ? 2 : hours, "0") + rest
    end
  end
  private :zone_text

  def to_s
    y, m, d = civil
    y < 0 || y > 9999 ? strftime("%Y-%m-%d") : format("%.4d-%02d-%02d", y, m, d)
  end

  def iso8601 = strftime("%Y-%m-%d")
  alias xmlschema iso8601
  def rfc3339 = strftime("%Y-%m-%dT%H:%M:%S%:z")
  def rfc2822 = strftime("%a, %-d %b %Y %T %z")
  alias rfc822 rfc2822

  def httpdate
    utc = with(of: 0)
    utc.strftime("%a, %d %b %Y %T GMT")
  end

  def asctime = strftime("%a %b %e %H:%M:%S %Y")
  alias ctime asctime

  ERAS = [[2_405_160, "M", 1867], [2_419_614, "T", 1911], [2_424_875, "S", 1925], [2_447_535, "H", 1988], [2_458_605, "R", 2018]].freeze
  private_constant :ERAS

  def jisx0301
    era = ERAS.reverse_each.find { |from, _, _| jd >= from }
    return strftime("%Y-%m-%d") unless era
    format("%s%02d", era[1], year - era[2]) + strftime(".%m.%d")
  end
end
