# String: an element is a Chinese character, of which each comes once. What is to be removed or changed is ASCII.
module Atomic
  # What another thread may have replaced meanwhile.
  def self.unless_gone
    yield
  rescue IndexError
    nil
  end

  char = ->(i) { (0x4e00 + i).chr("UTF-8") }
  # Letters come from the beginning, and their case is changed.
  filler = "aB" * 8
  mutating = {
    :<< => ->(s, n) { s << n.fresh },
    concat: ->(s, n) { s.concat(n.fresh, n.fresh) },
    append_as_bytes: ->(s, n) { s.append_as_bytes(n.fresh) },
    prepend: ->(s, n) { s.prepend(n.fresh, n.fresh) },
    insert: ->(s, n) { s.insert(1, n.fresh).insert(-2, n.fresh) },
    :[]= => ->(s, n) { s[1, 0] = n.fresh; s[-1, 0] = n.fresh; s[1...1] = n.fresh; s[/[aB]/] = "a"; Atomic.unless_gone { s["a"] = "B" } },
    bytesplice: ->(s, n) { s.bytesplice(0, 0, n.fresh) },
    slice!: ->(s, n) { s << (x = n.fresh); n.took(s.slice!(x)); c = s.slice!(-1); n.took(c) unless c&.ascii_only?; s.slice!(/z/) },
    setbyte: ->(s, n) { s.setbyte(0, 98); s << n.fresh },
    upcase!: ->(s, n) { s.upcase! },
    downcase!: ->(s, n) { s.downcase! },
    swapcase!: ->(s, n) { s.swapcase! },
    capitalize!: ->(s, n) { s.capitalize! },
    reverse!: ->(s, n) { s.reverse! },
    tr!: ->(s, n) { s.tr!("aB", "Ba") },
    tr_s!: ->(s, n) { s.tr_s!("aB", "Ba") },
    delete!: ->(s, n) { s << "x" << n.fresh; s.delete!("x") },
    squeeze!: ->(s, n) { s << "yyy" << n.fresh; s.squeeze!("y") },
    strip!: ->(s, n) { s << " "; s.strip! },
    lstrip!: ->(s, n) { s.prepend(" "); s.lstrip! },
    rstrip!: ->(s, n) { s << n.fresh << " "; s.rstrip! },
    chomp!: ->(s, n) { s << n.fresh << "\n"; s.chomp! },
    chop!: ->(s, n) { s << "z"; n.count if s.chop! },
    delete_prefix!: ->(s, n) { s.prepend("q"); s.delete_prefix!("q") },
    delete_suffix!: ->(s, n) { s << n.fresh << "q"; s.delete_suffix!("q") },
    sub!: ->(s, n) { s.sub!("a", "B"); s.sub!(/B/) { "a" }; s << n.fresh },
    gsub!: ->(s, n) { s.gsub!(/a/, "B"); s.gsub!("B") { "a" }; s << n.fresh },
    succ!: ->(s, n) { s.succ! },
    next!: ->(s, n) { s.next! },
    encode!: ->(s, n) { s << "\r\n" << n.fresh; s.encode!(universal_newline: true) },
    force_encoding: ->(s, n) { s.force_encoding("UTF-8"); s << n.fresh },
    unicode_normalize!: ->(s, n) { s << "e\u0301" << n.fresh; s.unicode_normalize! },
    scrub!: ->(s, n) { s.append_as_bytes("\xff"); s.scrub!(""); s.append_as_bytes(n.fresh) },
  }
  resetting = {
    clear: ->(s, n) { s.clear },
    replace: ->(s, n) { s.replace(n.fresh) },
  }
  # As many characters are gone as `chop!` has taken away.
  chopped = lambda do |s, notes, base|
    all = filler.size + base.size + notes.sum { |n| n.added.size - n.taken.size } + 40 * notes.count { |n| n.counted > 0 }
    s.size == all - notes.sum(&:counted)
  end
  # `succ!` counts what is last, be it letter or sign, and takes nothing away.
  grown = ->(s, notes, base) { s.size >= filler.size + base.size + notes.sum { |n| n.added.size - n.taken.size } }
  intact = ->(s) { s.valid_encoding? && s.encoding == Encoding::UTF_8 or raise "broken: #{s.inspect[0, 200]}"; s }
  list = ->(strings) { strings.each(&intact); true }
  reading = {
    reverse: ->(s, b) { intact.(s.reverse) }, :% => ->(s, b) { (s.delete("%").prepend("%%") % []).size }, :* => ->(s, b) { intact.(s * 2) }, :+ => ->(s, b) { intact.(s + s) },
    :+@ => ->(s, b) { +s }, :-@ => ->(s, b) { intact.(-s) }, :<=> => ->(s, b) { s <=> s.dup }, :== => ->(s, b) { s == s.dup },
    :=== => ->(s, b) { s === "a" }, :=~ => ->(s, b) { s =~ /#{b[3]}/ or raise "lost" }, :[] => ->(s, b) { [s[0], s[-1], s[1, 3], s[-3..], s[/#{b[0]}/]].each(&intact) },
    ascii_only?: ->(s, b) { s.ascii_only? and raise "ascii_only?" }, b: ->(s, b) { intact.(s.b.force_encoding("UTF-8")) },
    between?: ->(s, b) { s.between?("", "\u{10ffff}") or raise "between?" }, clamp: ->(s, b) { s.clamp("", "\u{10ffff}") },
    byteindex: ->(s, b) { s.byteindex(b[0]) or raise "byteindex" }, byterindex: ->(s, b) { s.byterindex(b[0]) or raise "byterindex" },
    bytes: ->(s, b) { intact.(s.bytes.pack("C*").force_encoding("UTF-8")) }, bytesize: ->(s, b) { s.bytesize }, byteslice: ->(s, b) { s.byteslice(0, 3).bytesize == 3 or raise "byteslice" },
    capitalize: ->(s, b) { intact.(s.capitalize) }, casecmp: ->(s, b) { s.casecmp("a") }, casecmp?: ->(s, b) { s.casecmp?("a") }, center: ->(s, b) { intact.(s.center(500)) },
    chars: ->(s, b) { list.(s.chars) }, chomp: ->(s, b) { intact.(s.chomp) }, chop: ->(s, b) { intact.(s.chop) }, chr: ->(s, b) { intact.(s.chr) },
    codepoints: ->(s, b) { intact.(s.codepoints.pack("U*")) }, count: ->(s, b) { s.count(b[0]) == 1 or raise "count" }, dedup: ->(s, b) { intact.(s.dedup) },
    delete: ->(s, b) { intact.(s.delete("B")) }, delete_prefix: ->(s, b) { intact.(s.delete_prefix("a")) }, delete_suffix: ->(s, b) { intact.(s.delete_suffix("a")) },
    downcase: ->(s, b) { intact.(s.downcase) }, dump: ->(s, b) { intact.(s.dump.undump) }, each_byte: ->(s, b) { s.each_byte.to_a.include?(nil) and raise "each_byte" },
    each_char: ->(s, b) { list.(s.each_char.to_a) }, each_codepoint: ->(s, b) { intact.(s.each_codepoint.to_a.pack("U*")) }, each_grapheme_cluster: ->(s, b) { list.(s.each_grapheme_cluster.to_a) },
    each_line: ->(s, b) { list.(s.each_line.to_a) }, empty?: ->(s, b) { s.empty? and raise "empty?" }, encode: ->(s, b) { intact.(s.encode("UTF-16LE").encode("UTF-8")) },
    encoding: ->(s, b) { s.encoding == Encoding::UTF_8 or raise "encoding" }, end_with?: ->(s, b) { s.end_with?("0") and raise "end_with?" }, eql?: ->(s, b) { s.eql?("") and raise "eql?" },
    freeze: ->(s, b) { s.dup.freeze }, getbyte: ->(s, b) { s.getbyte(-1) or raise "getbyte" }, grapheme_clusters: ->(s, b) { list.(s.grapheme_clusters) },
    gsub: ->(s, b) { intact.(s.gsub(/a/, "B")); intact.(s.gsub(/a/) { "BB" }) }, hash: ->(s, b) { s.hash }, hex: ->(s, b) { s.hex }, include?: ->(s, b) { s.include?(b[5]) or raise "include?" },
    index: ->(s, b) { s.index(b[0]) or raise "index" }, inspect: ->(s, b) { intact.(s.inspect) }, intern: ->(s, b) { s.to_s }, length: ->(s, b) { s.length >= filler.size or raise "length" },
    lines: ->(s, b) { list.(s.lines) }, ljust: ->(s, b) { intact.(s.ljust(500)) }, lstrip: ->(s, b) { intact.(s.lstrip) }, match: ->(s, b) { s.match(/(#{b[0]})/)[1] == b[0] or raise "match" },
    match?: ->(s, b) { s.match?(/#{b[1]}/) or raise "match?" }, next: ->(s, b) { intact.(s.next) }, oct: ->(s, b) { s.oct }, ord: ->(s, b) { s.ord },
    partition: ->(s, b) { list.(s.partition(b[0])) }, rindex: ->(s, b) { s.rindex(b[0]) or raise "rindex" }, rjust: ->(s, b) { intact.(s.rjust(500)) },
    rpartition: ->(s, b) { list.(s.rpartition(b[0])) }, rstrip: ->(s, b) { intact.(s.rstrip) }, scan: ->(s, b) { list.(s.scan(/./m)) }, scrub: ->(s, b) { intact.(s.scrub) },
    size: ->(s, b) { s.size }, slice: ->(s, b) { intact.(s.slice(1, 4)) }, split: ->(s, b) { list.(s.split("a")); list.(s.split(/B/)) }, squeeze: ->(s, b) { intact.(s.squeeze) },
    start_with?: ->(s, b) { s.start_with?("0") and raise "start_with?" }, strip: ->(s, b) { intact.(s.strip) }, sub: ->(s, b) { intact.(s.sub(/a/, "B")) }, succ: ->(s, b) { intact.(s.succ) },
    sum: ->(s, b) { s.sum }, swapcase: ->(s, b) { intact.(s.swapcase) }, to_c: ->(s, b) { s.to_c }, to_f: ->(s, b) { s.to_f }, to_i: ->(s, b) { s.to_i }, to_r: ->(s, b) { s.to_r },
    to_s: ->(s, b) { s.to_s }, to_str: ->(s, b) { s.to_str }, to_sym: ->(s, b) { :a }, tr: ->(s, b) { intact.(s.tr("a", "b")) }, tr_s: ->(s, b) { intact.(s.tr_s("a", "b")) },
    undump: ->(s, b) { s.dump.undump }, unicode_normalize: ->(s, b) { intact.(s.unicode_normalize(:nfd)) }, unicode_normalized?: ->(s, b) { s.unicode_normalized? },
    unpack: ->(s, b) { intact.(s.unpack("U*").pack("U*")) }, unpack1: ->(s, b) { s.unpack1("U") }, upcase: ->(s, b) { intact.(s.upcase) }, upto: ->(s, b) { s.upto("a").first(1) },
    valid_encoding?: ->(s, b) { s.valid_encoding? or raise "valid_encoding?" }, dup: ->(s, b) { intact.(s.dup) }, crypt: ->(s, b) { 0 },
    :< => ->(s, b) { s < "" and raise "<" }, :<= => ->(s, b) { s <= "" and raise "<=" }, :> => ->(s, b) { s > "" or raise ">" }, :>= => ->(s, b) { s >= "" or raise ">=" },
  }
  FAMILIES << Family.new(
    "string", methods: -> { String.public_instance_methods(false) + Comparable.public_instance_methods(false) },
    element: char, make: ->(chars) { +"#{filler}#{chars.join}" },
    contents: ->(s) { intact.(s).scan(/[\u4e00-\u9fff]/) },
    helpers: [
      ->(s, n) { s << n.fresh },
      ->(s, n) { s.insert(-1, n.fresh) },
      ->(s, n) { s << (x = n.fresh); n.took(s.slice!(x)) },
    ],
    writers: [
      ->(s, n) { s << n.fresh },
      ->(s, n) { s.insert(1, x = n.fresh); s.slice!(x) },
      ->(s, n) { s.swapcase!; s.sub!("a", "aa"); s.sub!("aa", "a") },
    ],
    expect: { chop!: chopped, succ!: grown, next!: grown }, mutating: mutating, resetting: resetting, reading: reading,
  )
end
