# encoding: us-ascii
# frozen_string_literal: true

# Dates: a chronological Julian day number, a time of day in UTC, an offset, and the day from which the calendar is
# Gregorian. `parse.rb` and `strptime.rb` read them from text, `strftime.rb` writes them, `datetime.rb` adds the clock.
class Date
  include Comparable

  class Error < ArgumentError; end

  ITALY = 2299161
  ENGLAND = 2361222
  JULIAN = Float::INFINITY
  GREGORIAN = -Float::INFINITY

  MONTHNAMES = [nil, "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"].freeze
  ABBR_MONTHNAMES = [nil, "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"].freeze
  DAYNAMES = %w[Sunday Monday Tuesday Wednesday Thursday Friday Saturday].freeze
  ABBR_DAYNAMES = %w[Sun Mon Tue Wed Thu Fri Sat].freeze
  DAY_SECONDS = 86_400
  EPOCH = 2_440_588
  private_constant :DAY_SECONDS, :EPOCH

  # Calendar arithmetic on Integers, whose `/` rounds down.
  module Calendar
    module_function

    def civil_to_jd(y, m, d, sg)
      if m <= 2
        y -= 1
        m += 12
      end
      a = y / 100
      b = 2 - a + a / 4
      jd = 1461 * (y + 4716) / 4 + 306_001 * (m + 1) / 10_000 + d + b - 1524
      jd < sg ? jd - b : jd
    end

    def jd_to_civil(jd, sg)
      if jd < sg
        a = jd
      else
        x = (4 * jd - 7_468_865) / 146_097
        a = jd + 1 + x - x / 4
      end
      b = a + 1524
      c = (20 * b - 2442) / 7305
      d = 1461 * c / 4
      e = (b - d) * 10_000 / 306_001
      dom = b - d - 306_001 * e / 10_000
      e <= 13 ? [c - 4716, e - 1, dom] : [c - 4715, e - 13, dom]
    end

    # The Julian day of a date, or nil if there is none such; negative numbers count from the end.
    def valid_civil(y, m, d, sg)
      m += 13 if m < 0
      return nil if m < 1 || m > 12
      if d < 0
        last = last_of_month(y, m, sg) or return nil
        jd = last + d + 1
        ny, nm, d = jd_to_civil(jd, sg)
        return ny == y && nm == m ? jd : nil
      end
      return nil if d < 1 || d > 31
      jd = civil_to_jd(y, m, d, sg)
      # Every month has 28 days, but for those left out where the calendar changes.
      return jd if d <= 28 && (jd < sg || jd == civil_to_jd(y, m, d, GREGORIAN))
      civil_y, civil_m, civil_d = jd_to_civil(jd, sg)
      civil_d == d && civil_m == m && civil_y == y ? jd : nil
    end

    def last_of_month(y, m, sg)
      31.downto(1) do |d|
        jd = civil_to_jd(y, m, d, sg)
        return jd if jd_to_civil(jd, sg) == [y, m, d]
      end
      nil
    end

    def first_of_year(y, sg)
      1.upto(31) do |d|
        jd = civil_to_jd(y, 1, d, sg)
        return jd if jd_to_civil(jd, sg) == [y, 1, d]
      end
      nil
    end

    def last_of_year(y, sg) = last_of_month(y, 12, sg)

    def valid_ordinal(y, d, sg)
      first = first_of_year(y, sg)
      jd = d < 0 ? last_of_year(y, sg) + d + 1 : first + d - 1
      return nil if d == 0
      jd_to_civil(jd, sg)[0] == y ? jd : nil
    end

    def jd_to_ordinal(jd, sg)
      y = jd_to_civil(jd, sg)[0]
      [y, jd - first_of_year(y, sg) + 1]
    end

    def commercial_to_jd(y, w, d, sg)
      a = first_of_year(y, sg) + 3
      a - (a + 1 - 1) % 7 + 7 * (w - 1) + (d - 1)
    end

    def jd_to_commercial(jd, sg)
      a = jd_to_civil(jd - 3, sg)[0]
      y = jd >= commercial_to_jd(a + 1, 1, 1, sg) ? a + 1 : a
      w = 1 + (jd - commercial_to_jd(y, 1, 1, sg)).div(7)
      d = (jd + 1) % 7
      [y, w, d == 0 ? 7 : d]
    end

    def valid_commercial(y, w, d, sg)
      d += 8 if d < 0
      return nil if d < 1 || d > 7
      if w < 0
        ny, nw, = jd_to_commercial(commercial_to_jd(y + 1, 1, 1, sg) + w * 7, sg)
        return nil unless ny == y
        w = nw
      end
      jd = commercial_to_jd(y, w, d, sg)
      jd_to_commercial(jd, sg) == [y, w, d] ? jd : nil
    end

    # Weeks that begin on Sunday (`from` 0) or Monday (1); week 0 is what comes before the first.
    def weeknum_to_jd(y, w, d, from, sg)
      a = first_of_year(y, sg) + 6
      a - (a - from + 1) % 7 - 7 + 7 * w + d
    end

    def jd_to_weeknum(jd, from, sg)
      y, = jd_to_civil(jd, sg)
      a = first_of_year(y, sg) + 6
      w, d = (jd - (a - (a - from + 1) % 7) + 7).divmod(7)
      [y, w, d]
    end

    def valid_weeknum(y, w, d, from, sg)
      d += 7 if d < 0
      if w < 0
        ny, nw, = jd_to_weeknum(weeknum_to_jd(y + 1, 1, from, from, sg) + w * 7, from, sg)
        return nil unless ny == y
        w = nw
      end
      jd = weeknum_to_jd(y, w, d, from, sg)
      jd_to_weeknum(jd, from, sg) == [y, w, d] ? jd : nil
    end

    def valid_time(h, min, s)
      h += 24 if h < 0
      min += 60 if min < 0
      s += 60 if s < 0
      return nil unless (h >= 0 && h < 24 && min >= 0 && min < 60 && s >= 0 && s < 60) || (h == 24 && min == 0 && s == 0)
      h * 3600 + min * 60 + s
    end

    def start(sg)
      return sg if ITALY.equal?(sg)
      unless Numeric === sg
        raise TypeError, "invalid start type" if nil.equal?(sg)
        raise TypeError, "can't convert #{sg.class} into Float"
      end
      return sg if sg == Float::INFINITY || sg == -Float::INFINITY
      if sg.to_f.nan? || sg < 2_298_874 || sg > 2_426_355
        warn("invalid start is ignored", uplevel: 2) if $VERBOSE
        return ITALY
      end
      sg
    end

    # An Integer, and what is left as a fraction of 1.
    # That of a Float is one of nanoseconds; `seconds` is how long the unit is.
    def whole(n, what = nil, seconds = 86_400)
      return [n, 0] if Integer === n
      raise TypeError, what ? "invalid #{what} (not numeric)" : "not numeric" unless Numeric === n
      i = n.floor
      return [i, n - i] unless Float === n
      steps = seconds * 1_000_000_000
      [i, Rational(((n - i) * steps).round, steps)]
    end
  end

  class << self
    def jd(jd = 0, sg = ITALY)
      n, rest = Calendar.whole(jd, "jd")
      build(n, rest, Calendar.start(sg))
    end

    def civil(y = -4712, m = 1, d = 1, sg = ITALY)
      numeric(y, "year")
      numeric(m, "month")
      n, rest = Calendar.whole(d, "day")
      sg = Calendar.start(sg)
      jd = Calendar.valid_civil(y.to_i, m.to_i, n, sg) or raise Error, "invalid date"
      build(jd, rest, sg)
    end

    def ordinal(y = -4712, d = 1, sg = ITALY)
      numeric(y, "year")
      n, rest = Calendar.whole(d, "yday")
      sg = Calendar.start(sg)
      jd = Calendar.valid_ordinal(y.to_i, n, sg) or raise Error, "invalid date"
      build(jd, rest, sg)
    end

    def commercial(y = -4712, w = 1, d = 1, sg = ITALY)
      numeric(y, "year")
      numeric(w, "cweek")
      n, rest = Calendar.whole(d, "cwday")
      sg = Calendar.start(sg)
      jd = Calendar.valid_commercial(y.to_i, w.to_i, n, sg) or raise Error, "invalid date"
      build(jd, rest, sg)
    end

    def today(sg = ITALY)
      now = Time.now
      build(Calendar.civil_to_jd(now.year, now.month, now.day, GREGORIAN), 0, Calendar.start(sg))
    end

    def valid_jd?(jd, _sg = ITALY) = Numeric === jd

    def valid_civil?(y, m, d, sg = ITALY)
      return false unless Numeric === y && Numeric === m && Numeric === d
      Calendar.valid_civil(y.to_i, m.to_i, d.to_i, sg) ? true : false
    end
    alias valid_date? valid_civil?

    def valid_ordinal?(y, d, sg = ITALY)
      return false unless Numeric === y && Numeric === d
      Calendar.valid_ordinal(y.to_i, d.to_i, sg) ? true : false
    end

    def valid_commercial?(y, w, d, sg = ITALY)
      return false unless Numeric === y && Numeric === w && Numeric === d
      Calendar.valid_commercial(y.to_i, w.to_i, d.to_i, sg) ? true : false
    end

    def gregorian_leap?(y)
      raise TypeError, "invalid year (not numeric)" unless Numeric === y
      (y % 4 == 0 && y % 100 != 0) || y % 400 == 0
    end
    alias leap? gregorian_leap?

    def julian_leap?(y)
      raise TypeError, "invalid year (not numeric)" unless Numeric === y
      y % 4 == 0
    end

    # Dates of Ruby 1.6 and 1.8.
    def _load(text) = allocate.marshal_load(Marshal.load(text))

    # A date from a day, a fraction of it (local time), an offset and a start.
    def build(jd, rest, sg, of = 0)
      df = sf = 0
      unless rest == 0
        seconds = rest * DAY_SECONDS
        df = seconds.floor
        sf = (seconds - df) * 1_000_000_000
        sf = sf.to_i if sf == sf.to_i
      end
      make(jd, df, sf, of, sg)
    end

    # A date from local day, second and nanosecond.
    def make(jd, df, sf, of, sg)
      date = allocate
      df -= of
      if df < 0 || df >= DAY_SECONDS
        days, df = df.divmod(DAY_SECONDS)
        jd += days
      end
      date.__send__(:fill, jd, df, sf, of, sg)
      date
    end
    private :build, :make

    private

    def numeric(n, what)
      raise TypeError, "invalid #{what} (not numeric)" unless Numeric === n
    end
  end

  def initialize(y = -4712, m = 1, d = 1, sg = ITALY)
    return fill(*Date.civil(y, m, d, sg).parts) unless Integer === y && Integer === m && Integer === d
    sg = Calendar.start(sg)
    jd = Calendar.valid_civil(y, m, d, sg) or raise Error, "invalid date"
    fill(jd, 0, 0, 0, sg)
  end

  # UTC day, second of the day, nanosecond, offset in seconds, start of the Gregorian calendar.
  def fill(jd, df, sf, of, sg)
    @jd = jd
    @df = df
    @sf = sf
    @of = of
    @sg = sg
  end
  private :fill

  def initialize_copy(other)
    parts = other.__send__(:parts)
    @jd, @df, @sf, @of, @sg = parts
    self
  end

  def parts = [@jd || 0, @df || 0, @sf || 0, @of || 0, @sg || ITALY]
  protected :parts

  def instance_variables = super - %i[@jd @df @sf @of @sg]

  # The local day.
  def jd = @of == 0 ? @jd : @jd + (@df + @of).div(DAY_SECONDS)

  # The second of the local day.
  def local_seconds = (@df + @of) % DAY_SECONDS
  private :local_seconds

  def civil = Calendar.jd_to_civil(jd, @sg)
  private :civil

  def year = civil[0]
  def month = civil[1]
  alias mon month
  def day = civil[2]
  alias mday day
  def yday = Calendar.jd_to_ordinal(jd, @sg)[1]
  def wday = (jd + 1) % 7
  def cwyear = Calendar.jd_to_commercial(jd, @sg)[0]
  def cweek = Calendar.jd_to_commercial(jd, @sg)[1]
  def cwday = wday == 0 ? 7 : wday
  def mjd = jd - 2_400_001
  def ld = jd - 2_299_160
  def start = @sg.to_f

  def day_fraction
    nanos = local_seconds * 1_000_000_000 + @sf
    nanos == 0 ? 0 : Rational(nanos, DAY_SECONDS * 1_000_000_000)
  end

  def ajd
    days = Rational(@jd * 2 - 1, 2) + Rational(@df * 1_000_000_000 + @sf, DAY_SECONDS * 1_000_000_000)
    days.denominator == 1 ? days.numerator : days
  end

  def amjd = Rational(@jd - 2_400_001, 1) + Rational(@df * 1_000_000_000 + @sf, DAY_SECONDS * 1_000_000_000)
  def julian? = jd < @sg
  def gregorian? = !julian?
  def leap? = julian? ? Date.julian_leap?(year) : Date.gregorian_leap?(year)

  DAYNAMES.each_with_index { |name, i| define_method(:"#{name.downcase}?") { wday == i } }

  def hour = local_seconds.div(3600)
  def minute = local_seconds % 3600 / 60
  alias min minute
  def second = local_seconds % 60
  alias sec second
  def second_fraction = Rational(@sf, 1_000_000_000)
  alias sec_fraction second_fraction
  def offset = Rational(@of, DAY_SECONDS)

  def zone
    sign = @of < 0 ? "-" : "+"
    format("%s%02d:%02d", sign, @of.abs / 3600, @of.abs % 3600 / 60)
  end
  private :hour, :minute, :min, :second, :sec, :second_fraction, :sec_fraction, :offset, :zone

  def new_start(start = ITALY) = with(sg: Calendar.start(start))
  def italy = new_start(ITALY)
  def england = new_start(ENGLAND)
  def julian = new_start(JULIAN)
  def gregorian = new_start(GREGORIAN)

  def with(jd: @jd, df: @df, sf: @sf, of: @of, sg: @sg)
    date = self.class.allocate
    date.__send__(:fill, jd, df, sf, of, sg)
    date
  end
  private :with

  def +(other)
    return with(jd: @jd + other) if Integer === other
    raise TypeError, "expected numeric" unless Numeric === other
    unless Rational === other
      other = other.to_r
      raise TypeError, "wrong argument type #{other.class} (expected Rational)" unless Rational === other || Integer === other
    end
    nanos = (@df * 1_000_000_000 + @sf) + other * (DAY_SECONDS * 1_000_000_000)
    nanos = nanos.to_i if nanos == nanos.to_i
    days, nanos = nanos.divmod(DAY_SECONDS * 1_000_000_000)
    df, sf = nanos.divmod(1_000_000_000)
    with(jd: @jd + days, df: df, sf: sf)
  end

  def -(other)
    case other
    when Date
      a = parts
      b = other.parts
      nanos = (a[1] - b[1]) * 1_000_000_000 + (a[2] - b[2])
      Rational(a[0] - b[0], 1) + Rational(nanos, DAY_SECONDS * 1_000_000_000)
    when Numeric then self + -other
    else raise TypeError, "expected numeric"
    end
  end

  def >>(other)
    raise TypeError, "expected numeric" unless Numeric === other
    y, m, d = civil
    t = y * 12 + (m - 1) + other.to_i
    y, m = t.divmod(12)
    m += 1
    until (jd = Calendar.valid_civil(y, m, d, @sg))
      d -= 1
      raise Error, "invalid date" if d < 1
    end
    self + (jd - self.jd)
  end

  def <<(other)
    raise TypeError, "expected numeric" unless Numeric === other
    self >> -other
  end

  def next_day(n = 1) = self + n
  def prev_day(n = 1) = self - n
  def next_month(n = 1) = self >> n
  def prev_month(n = 1) = self << n
  def next_year(n = 1) = self >> n * 12
  def prev_year(n = 1) = self << n * 12
  def next = next_day
  alias succ next

  def <=>(other)
    case other
    when Date
      (@jd <=> (b = other.parts)[0]).nonzero? || (@df <=> b[1]).nonzero? || (@sf <=> b[2])
    when Numeric then ajd <=> other
    end
  end

  def ===(other)
    case other
    when Date then jd == other.jd
    when Numeric then jd == other.to_i
    else false
    end
  end

  def eql?(other) = Date === other && self == other
  def hash = [@jd, @df, @sf].hash

  def step(limit, by = 1)
    return to_enum(:step, limit, by) unless block_given?
    order = by <=> 0
    raise ArgumentError, "comparison of #{by.class} with 0 failed" unless order
    date = self
    if order == 0
      loop { yield date }
    elsif order > 0
      while date <= limit
        yield date
        date += by
      end
    else
      while date >= limit
        yield date
        date += by
      end
    end
    self
  end

  def upto(max, &block)
    return to_enum(:upto, max) unless block
    step(max, 1, &block)
  end

  def downto(min, &block)
    return to_enum(:downto, min) unless block
    step(min, -1, &block)
  end

  def inspect
    sg = Float === @sg && @sg.infinite? ? (@sg > 0 ? "Inf" : "-Inf") : @sg.to_i.to_s
    "#<#{self.class}: #{self} ((#{@jd}j,#{@df}s,#{@sf.inspect.delete('()')}n),#{@of < 0 ? '-' : '+'}#{@of.abs}s,#{sg}j)>"
  end

  def to_date = self

  def to_datetime = DateTime.send(:make, jd, 0, 0, 0, @sg)

  def to_time
    y, m, d = Calendar.jd_to_civil(jd, GREGORIAN)
    Time.local(y, m, d)
  end

  # Days are dumped as a number of these periods and what is left of them.
  PERIOD = 213_447_717
  private_constant :PERIOD

  def marshal_dump = [*@jd.divmod(PERIOD), @df, @sf, @of, @sg.to_f]

  def marshal_load(data)
    raise TypeError, "expected an array" unless Array === data
    case data.size
    when 6
      nth, jd, df, sf, of, sg = data
      unless [nth, jd, df, of].all?(Integer) && Numeric === sf && Numeric === sg
        raise TypeError, "invalid size"
      end
      fill(nth * PERIOD + jd, df, sf, of, start_of(sg))
    when 2
      load_ajd(data[0] - Rational(1, 2), 0, Numeric === data[1] ? data[1] : data[1] ? GREGORIAN : JULIAN)
    when 3
      load_ajd(*data)
    else
      raise TypeError, "invalid size"
    end
    self
  end

  def start_of(sg) = (sg = sg.to_f).finite? ? sg.to_i : sg
  private :start_of

  def load_ajd(ajd, of, sg)
    days, rest = (ajd + Rational(1, 2)).divmod(1)
    df, sf = (rest * DAY_SECONDS * 1_000_000_000).divmod(1_000_000_000)
    fill(days, df, sf == sf.to_i ? sf.to_i : sf, (of * DAY_SECONDS).to_i, start_of(sg))
  end
  private :load_ajd

  def deconstruct_keys(keys) = keys_of(keys, %i[year month day yday wday])

  def keys_of(keys, names)
    unless nil.equal?(keys) || Array === keys
      raise TypeError, "wrong argument type #{keys.class} (expected Array or nil)"
    end
    (keys ? keys & names : names).to_h { |name| [name, __send__(name)] }
  end
  private :keys_of
end

class Time
  def to_time = self

  def to_date
    Date.send(:make, Date::Calendar.civil_to_jd(year, month, day, Date::GREGORIAN), 0, 0, 0, Date::ITALY)
  end

  def to_datetime
    seconds = hour * 3600 + min * 60 + [sec, 59].min
    nanos = subsec * 1_000_000_000
    nanos = nanos.to_i if nanos == nanos.to_i
    DateTime.send(:make, Date::Calendar.civil_to_jd(year, month, day, Date::GREGORIAN), seconds, nanos, utc_offset, Date::ITALY)
  end
end
