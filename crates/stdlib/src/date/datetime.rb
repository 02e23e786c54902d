# encoding: us-ascii
# frozen_string_literal: true

# DateTime: dates with a time of day.
class DateTime < Date
  class << self
    def civil(y = -4712, m = 1, d = 1, h = nil, min = nil, s = nil, of = 0, sg = Date::ITALY)
      numeric(y, "year")
      numeric(m, "month")
      sg = Date::Calendar.start(sg)
      n, rest = Date::Calendar.whole(d, "day")
      jd = Date::Calendar.valid_civil(y.to_i, m.to_i, n, sg) or raise Date::Error, "invalid date"
      at(jd, rest, h, min, s, of, sg)
    end
    def jd(jd = 0, h = nil, min = nil, s = nil, of = 0, sg = Date::ITALY)
      n, rest = Date::Calendar.whole(jd, "jd")
      at(n, rest, h, min, s, of, Date::Calendar.start(sg))
    end

    def ordinal(y = -4712, d = 1, h = nil, min = nil, s = nil, of = 0, sg = Date::ITALY)
      numeric(y, "year")
      sg = Date::Calendar.start(sg)
      n, rest = Date::Calendar.whole(d, "yday")
      jd = Date::Calendar.valid_ordinal(y.to_i, n, sg) or raise Date::Error, "invalid date"
      at(jd, rest, h, min, s, of, sg)
    end

    def commercial(y = -4712, w = 1, d = 1, h = nil, min = nil, s = nil, of = 0, sg = Date::ITALY)
      numeric(y, "year")
      numeric(w, "cweek")
      sg = Date::Calendar.start(sg)
      n, rest = Date::Calendar.whole(d, "cwday")
      jd = Date::Calendar.valid_commercial(y.to_i, w.to_i, n, sg) or raise Date::Error, "invalid date"
      at(jd, rest, h, min, s, of, sg)
    end

    def now(sg = Date::ITALY)
      time = Time.now
      jd = Date::Calendar.civil_to_jd(time.year, time.month, time.day, Date::GREGORIAN)
      make(jd, time.hour * 3600 + time.min * 60 + [time.sec, 59].min, time.nsec, time.utc_offset, sg)
    end

    undef_method :today

    # An offset in seconds from a fraction of a day or a text.
    def offset_seconds(of)
      seconds =
        case of
        when String then Date.zone_offset(of)
        when Integer, Float, Rational then (of * 86_400).round
        when Numeric
          of = of.to_r
          raise TypeError, "wrong argument type #{of.class} (expected Rational)" unless Rational === of || Integer === of
          (of * 86_400).round
        else raise TypeError, "expected numeric"
        end
      return seconds if Integer === seconds && seconds.abs <= 86_400
      warn("invalid offset is ignored", uplevel: 3) if $VERBOSE
      0
    end

    private

    # What is left of a unit goes down to the next.
    def at(jd, rest, h, min, s, of, sg)
      given = [h, min, s].map { |n| !nil.equal?(n) }
      h ||= 0
      min ||= 0
      s ||= 0
      numeric(h, "hour")
      numeric(min, "minute")
      numeric(s, "second")
      h, hrest = Date::Calendar.whole(h, nil, 3600)
      min, mrest = Date::Calendar.whole(min, nil, 60)
      s, srest = Date::Calendar.whole(s, nil, 1)
      if (rest != 0 && given.any?) || (hrest != 0 && (given[1] || given[2])) || (mrest != 0 && given[2])
        raise Date::Error, "invalid fraction"
      end
      seconds = Date::Calendar.valid_time(h, min, s) or raise Date::Error, "invalid date"
      date = make(jd, seconds, 0, offset_seconds(of), sg)
      extra = rest + Rational(hrest, 24) + Rational(mrest, 1440) + Rational(srest, 86_400)
      extra == 0 ? date : date + extra
    end
  end

  def initialize(y = -4712, m = 1, d = 1, h = nil, min = nil, s = nil, of = 0, sg = Date::ITALY)
    fill(*DateTime.civil(y, m, d, h, min, s, of, sg).parts)
  end

  public :hour, :minute, :min, :second, :sec, :second_fraction, :sec_fraction, :offset, :zone

  def new_offset(of = 0) = with(of: DateTime.offset_seconds(of))

  def to_s = strftime("%Y-%m-%dT%H:%M:%S%:z")

  def strftime(format = "%FT%T%:z") = super

  def iso8601(n = 0)
    n = Primitive.to_int(n)
    fraction = n > 0 ? ".%#{n}N" : ""
    strftime("%Y-%m-%dT%H:%M:%S#{fraction}%:z")
  end
  alias xmlschema iso8601
  alias rfc3339 iso8601

  def jisx0301(n = 0)
    n = Primitive.to_int(n)
    fraction = n > 0 ? ".%#{n}N" : ""
    super() + strftime("T%H:%M:%S#{fraction}%:z")
  end

  def to_datetime = self

  def to_date = Date.send(:make, jd, 0, 0, 0, @sg)

  def to_time
    y, m, d = Date::Calendar.jd_to_civil(jd, GREGORIAN)
    Time.new(y, m, d, hour, min, sec + sec_fraction, @of)
  end

  def deconstruct_keys(keys)
    keys_of(keys, %i[year month day yday wday hour min sec sec_fraction zone])
  end
end
