# frozen_string_literal: true

# What classes do for Marshal themselves.
module Asterism
  module Internal
    # Included in classes whose instances hold what no dump can carry.
    module NotDumpable
      private

      def marshal_dump
        raise TypeError, "no _dump_data is defined for class #{self.class}"
      end
    end
  end
end

class Enumerator
  include Asterism::Internal::NotDumpable
end

class Dir
  include Asterism::Internal::NotDumpable
end

ENV.singleton_class.include(Asterism::Internal::NotDumpable)

class Time
  # Eight bytes of UTC fields; the rest is attributes of the String, as CRuby writes them.
  def _dump(_limit = -1)
    utc = getutc
    # How far a year is from those that have room in the fields comes behind them.
    year = (utc.year - 1900).clamp(0, 0xffff)
    distance = (utc.year - 1900 - year).abs
    nano = utc.nsec
    high = 1 << 31 | (utc? ? 1 : 0) << 30 | year << 14 | (utc.month - 1) << 10 | utc.mday << 5 | utc.hour
    low = utc.min << 26 | utc.sec << 20 | nano / 1000
    text = [high, low].pack("VV")
    unless distance == 0
      bytes = distance.digits(256)
      text << (bytes.size + 5) << bytes.pack("C*")
    end
    instance_variables.each { |name| text.instance_variable_set(name, instance_variable_get(name)) }
    rest = subsec * 1_000_000_000 % 1000
    unless rest == 0
      digits = rest.to_i
      rest = rest.to_r
      Primitive.attribute_set(text, :nano_num, rest.numerator)
      Primitive.attribute_set(text, :nano_den, rest.denominator)
      if digits > 0
        part = [digits / 100 << 4 | digits / 10 % 10, digits % 10 << 4]
        part.pop if part[1] == 0
        Primitive.attribute_set(text, :submicro, part.pack("C*"))
      end
    end
    Primitive.attribute_set(text, :offset, utc_offset) unless utc?
    name = zone
    name = name.name unless nil.equal?(name) || Primitive.kind_of(name, String)
    name = name.encode(Encoding::US_ASCII) if name && name.ascii_only?
    Primitive.attribute_set(text, :zone, name)
    text
  end
  private :_dump

  def self._load(text)
    raise TypeError, "marshaled time format differ" unless text.bytesize >= 8
    high, low = text.unpack("VV")
    return at(high, low) if high & 1 << 31 == 0
    year = (high >> 14 & 0xffff) + 1900
    size = (text.getbyte(8) || 5) - 5
    if size > 0 && size <= text.bytesize - 9
      distance = text.byteslice(9, size).bytes.reverse.inject(0) { |n, byte| n << 8 | byte }
      year += year == 1900 ? -distance : distance
    end
    # Four bits have room for months of the next year.
    month = high >> 10 & 0xf
    year += month / 12
    month = month % 12 + 1
    day = high >> 5 & 0x1f
    hour = high & 0x1f
    nano = (low & 0xfffff) * 1000
    num = Primitive.attribute_get(text, :nano_num)
    den = Primitive.attribute_get(text, :nano_den)
    submicro = Primitive.attribute_get(text, :submicro)
    if Primitive.kind_of(num, Integer) && Primitive.kind_of(den, Integer) && den != 0
      nano += Rational(num, den)
    elsif Primitive.kind_of(submicro, String)
      a, b = submicro.bytes
      nano += (a >> 4) * 100 + (a & 15) * 10 + (b ? b >> 4 : 0) if a
    end
    time = utc(year, month, day, hour, low >> 26 & 0x3f, (low >> 20 & 0x3f) + Rational(nano, 1_000_000_000))
    if high & 1 << 30 == 0
      offset = Primitive.attribute_get(text, :offset)
      name = Primitive.attribute_get(text, :zone)
      time.localtime
      if Primitive.kind_of(offset, Integer) && (offset != time.utc_offset || nil.equal?(name))
        time.localtime(offset)
      end
      found = begin
        find_timezone(name) if name && respond_to?(:find_timezone, true)
      rescue StandardError
        nil
      end
      time.localtime(found) if found
    end
    text.instance_variables.each { |name| time.instance_variable_set(name, text.instance_variable_get(name)) }
    time
  end
  private_class_method :_load
end

class Encoding
  def _dump(_limit = -1) = name.dup.force_encoding(Encoding::US_ASCII)

  def self._load(name) = find(name)
end
