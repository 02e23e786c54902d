# frozen_string_literal: true

# The methods of String that take a pattern and call a block. Each match is found by a primitive, `$~` is set for the
# block, and the block runs on this method's frame: nothing lies on the machine stack meanwhile.
class String
  def gsub(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      return to_enum(:gsub, pattern) unless block_given?
      hash = nil
    else
      replacement = Primitive.gsub_replacement(replacement)
      if Primitive.kind_of(replacement, String)
        result = Primitive.string_gsub(self, pattern, replacement)
        return nil.equal?(result) ? Primitive.string_copy(self) : result
      end
      hash = replacement
    end
    source = Primitive.string_frozen(self)
    match = Primitive.regexp_find(Primitive.pattern_for(pattern, source), source, 0)
    if nil.equal?(match)
      Primitive.set_backref(nil)
      return Primitive.string_copy(source)
    end
    out = nil
    copied = 0
    size = bytesize
    while match
      last = Primitive.set_backref(match)
      text = Primitive.match_text(match)
      value = hash ? hash[text] : (yield text)
      value = "#{value}" unless Primitive.kind_of(value, String)
      raise RuntimeError, "string modified" if bytesize != size && Primitive.string_own(self)
      out = Primitive.gsub_append(out, match, copied, value)
      copied = Primitive.match_end(match)
      match = Primitive.regexp_next(match)
    end
    Primitive.set_backref(last)
    Primitive.gsub_finish(out, source, copied)
  end

  def gsub!(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      return to_enum(:gsub!, pattern) unless block_given?
      Primitive.raise_frozen_if(self)
      hash = nil
    else
      Primitive.raise_frozen_if(self)
      replacement = Primitive.gsub_replacement(replacement)
      return Primitive.string_gsub_bang(self, pattern, replacement) if Primitive.kind_of(replacement, String)
      hash = replacement
    end
    tries = 0
    while true
      source = Primitive.string_frozen(self)
      match = Primitive.regexp_find(Primitive.pattern_for(pattern, source), source, 0)
      if nil.equal?(match)
        Primitive.set_backref(nil)
        return nil
      end
      out = nil
      copied = 0
      size = bytesize
      while match
        last = Primitive.set_backref(match)
        text = Primitive.match_text(match)
        value = hash ? hash[text] : (yield text)
        value = "#{value}" unless Primitive.kind_of(value, String)
        # In a String of this thread's own it was the block.
        raise RuntimeError, "string modified" if bytesize != size && Primitive.string_own(self)
        out = Primitive.gsub_append(out, match, copied, value)
        copied = Primitive.match_end(match)
        match = Primitive.regexp_next(match)
      end
      Primitive.set_backref(last)
      return self if Primitive.string_become(self, source, Primitive.gsub_finish(out, source, copied))
      # Other threads have changed the same part of the text.
      raise RuntimeError, "string modified" if (tries += 1) == 1000
    end
  end

  def sub(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2)" unless block_given?
      hash = nil
    else
      replacement = Primitive.gsub_replacement(replacement)
      if Primitive.kind_of(replacement, String)
        result = Primitive.string_sub(self, pattern, replacement)
        return nil.equal?(result) ? Primitive.string_copy(self) : result
      end
      hash = replacement
    end
    source = Primitive.string_frozen(self)
    match = Primitive.set_backref(Primitive.regexp_find(Primitive.pattern_for(pattern, source), source, 0))
    return Primitive.string_copy(source) if nil.equal?(match)
    text = Primitive.match_text(match)
    value = hash ? hash[text] : (yield text)
    value = "#{value}" unless Primitive.kind_of(value, String)
    Primitive.set_backref(match)
    Primitive.gsub_finish(Primitive.gsub_append(nil, match, 0, value), source, Primitive.match_end(match))
  end

  def sub!(pattern, replacement = Primitive.undef)
    if Primitive.undef?(replacement)
      raise ArgumentError, "wrong number of arguments (given 1, expected 2)" unless block_given?
      Primitive.raise_frozen_if(self)
      hash = nil
    else
      Primitive.raise_frozen_if(self)
      replacement = Primitive.gsub_replacement(replacement)
      return Primitive.string_sub_bang(self, pattern, replacement) if Primitive.kind_of(replacement, String)
      hash = replacement
    end
    tries = 0
    while true
      source = Primitive.string_frozen(self)
      match = Primitive.set_backref(Primitive.regexp_find(Primitive.pattern_for(pattern, source), source, 0))
      return nil if nil.equal?(match)
      text = Primitive.match_text(match)
      size = bytesize
      value = hash ? hash[text] : (yield text)
      value = "#{value}" unless Primitive.kind_of(value, String)
      raise RuntimeError, "string modified" if bytesize != size && Primitive.string_own(self)
      Primitive.set_backref(match)
      out = Primitive.gsub_append(nil, match, 0, value)
      return self if Primitive.string_become(self, source, Primitive.gsub_finish(out, source, Primitive.match_end(match)))
      raise RuntimeError, "string modified" if (tries += 1) == 1000
    end
  end

  def scan(pattern)
    return Primitive.string_scan(self, pattern) unless block_given?
    match = Primitive.regexp_find(Primitive.regexp_of(pattern), Primitive.string_frozen(self), 0)
    last = nil
    while match
      last = Primitive.set_backref(match)
      yield Primitive.match_groups(match)
      match = Primitive.regexp_next(match)
    end
    Primitive.set_backref(last)
    self
  end
end
