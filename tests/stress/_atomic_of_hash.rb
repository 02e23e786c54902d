# Hash: keys are Integers, and every value is made of its key; a negative one is there to be removed.
module Atomic
  value = ->(key) { key * 3 }
  put = ->(h, n) { key = n.fresh; h[key] = value.(key); key }
  victim = ->(h, n) { h[1_000_000 + n.unnoted] = -1 }
  took = ->(n, key, v) { n.took(key) unless v.nil? }
  mutating = {
    :[]= => ->(h, n) { put.(h, n) },
    store: ->(h, n) { h.store(k = n.fresh, value.(k)) },
    delete: ->(h, n) { key = put.(h, n); took.(n, key, h.delete(key)) },
    shift: ->(h, n) { put.(h, n); k, _ = h.shift; n.took(k) },
    delete_if: ->(h, n) { victim.(h, n); h.delete_if { |k, v| v < 0 } },
    reject!: ->(h, n) { victim.(h, n); h.reject! { |k, v| v < 0 } },
    keep_if: ->(h, n) { victim.(h, n); h.keep_if { |k, v| v >= 0 } },
    select!: ->(h, n) { victim.(h, n); h.select! { |k, v| v >= 0 } },
    filter!: ->(h, n) { victim.(h, n); h.filter! { |k, v| v >= 0 } },
    compact!: ->(h, n) { h[1_000_000 + n.unnoted] = nil; h.compact! },
    merge!: ->(h, n) { h.merge!({ 0 => 1 }) { |k, a, b| a + b }; n.count; put.(h, n) },
    update: ->(h, n) { h.update({ (k = n.fresh) => value.(k) }, { (j = n.fresh) => value.(j) }) },
    transform_values!: ->(h, n) { h.transform_values! { |v| v } },
    transform_keys!: ->(h, n) { h.transform_keys! { |k| k } },
    compare_by_identity: ->(h, n) { put.(h, n); h.compare_by_identity },
    rehash: ->(h, n) { put.(h, n); h.rehash },
    :default= => ->(h, n) { h.default = 5; [5, 6, nil].include?(h[-77]) or raise "default #{h[-77].inspect}" },
    :default_proc= => ->(h, n) { h.default_proc = ->(_, k) { 6 }; [5, 6, nil].include?(h[-77]) or raise "default"; h.default = 5 },
  }
  resetting = {
    clear: ->(h, n) { h.clear },
    replace: ->(h, n) { h.replace({ (k = n.fresh) => value.(k) }) },
  }
  clean = ->(h) { h.delete_if { |k, v| v.nil? || v < 0 } }
  all = { delete_if: clean, reject!: clean, keep_if: clean, select!: clean, filter!: clean, compact!: clean }
  # All that `merge!` with a block has counted is there.
  merged = lambda do |h, notes, base|
    h.delete(0) == notes.sum(&:counted) && h.keys.sort == (base + notes.flat_map(&:added) - notes.flat_map(&:taken)).sort
  end
  same = ->(k, v) { v.nil? || k.is_a?(Integer) && (v == value.(k) || v == -1) or raise "#{k.inspect} => #{v.inspect}" }
  pairs = ->(list) { list.each { |k, v| same.(k, v) }; true }
  walked = lambda do |base, keys|
    found = keys.tally
    base.all? { |k| found[k] == 1 } or raise "an entry that was there all the time came #{base.map { |k| found[k] }.inspect} times"
    found.each_value.all?(1) or raise "came twice"
  end
  reading = {
    :< => ->(h, b) { h < { a: 1 } }, :<= => ->(h, b) { h <= {} }, :== => ->(h, b) { h == h.dup }, :> => ->(h, b) { h > { b[0] => value.(b[0]) } },
    :>= => ->(h, b) { h >= { b[0] => value.(b[0]) } or raise ">=" }, :[] => ->(h, b) { b.each { |k| same.(k, h[k] || raise("lost #{k}")) } },
    any?: ->(h, b) { h.any? { |k, v| same.(k, v); false } }, all?: ->(h, b) { h.all? { |k, v| same.(k, v) } }, assoc: ->(h, b) { pairs.([h.assoc(b[1])]) },
    compact: ->(h, b) { pairs.(h.compact) }, compare_by_identity?: ->(h, b) { h.compare_by_identity? },
    count: ->(h, b) { [h.count, h.count { |k, v| same.(k, v) }] }, deconstruct_keys: ->(h, b) { h.deconstruct_keys(nil).size },
    default: ->(h, b) { h.default }, default_proc: ->(h, b) { h.default_proc }, dig: ->(h, b) { same.(b[0], h.dig(b[0])) },
    each: ->(h, b) { l = []; h.each { |k, v| same.(k, v); l << k }; walked.(b, l) },
    each_key: ->(h, b) { l = []; h.each_key { |k| l << k }; walked.(b, l) },
    each_pair: ->(h, b) { l = []; h.each_pair { |pair| same.(*pair); l << pair[0] }; walked.(b, l) },
    each_value: ->(h, b) { l = []; h.each_value { |v| l << v / 3 if v > 0 }; b.all? { |k| l.count(k) == 1 } || raise("each_value") },
    empty?: ->(h, b) { h.empty? && raise("empty?") }, eql?: ->(h, b) { h.eql?(h.dup) }, except: ->(h, b) { pairs.(h.except(b[0])) },
    fetch: ->(h, b) { h.fetch(b[2]) }, fetch_values: ->(h, b) { h.fetch_values(*b) }, filter: ->(h, b) { pairs.(h.filter { |k, v| v }) },
    filter_map: ->(h, b) { h.filter_map { |k, v| same.(k, v) } }, find_all: ->(h, b) { pairs.(h.find_all { |k, v| same.(k, v) }) },
    flat_map: ->(h, b) { h.flat_map { |k, v| [k, v] } }, flatten: ->(h, b) { pairs.(h.flatten.each_slice(2)) },
    has_key?: ->(h, b) { h.has_key?(b[0]) || raise("has_key?") }, has_value?: ->(h, b) { h.has_value?(value.(b[0])) || raise("has_value?") },
    hash: ->(h, b) { h.hash }, include?: ->(h, b) { h.include?(b[0]) || raise("include?") }, inspect: ->(h, b) { h.inspect },
    invert: ->(h, b) { h.invert.each { |v, k| same.(k, v) } }, key: ->(h, b) { h.key(value.(b[0])) == b[0] || raise("key") },
    key?: ->(h, b) { h.key?(b[0]) || raise("key?") }, keys: ->(h, b) { walked.(b, h.keys) }, length: ->(h, b) { h.length >= b.size || raise("length") },
    map: ->(h, b) { walked.(b, h.map { |k, v| same.(k, v); k }) }, collect: ->(h, b) { walked.(b, h.collect { |k, v| same.(k, v); k }) },
    max_by: ->(h, b) { same.(*h.max_by { |k, v| k }) }, member?: ->(h, b) { h.member?(b[0]) || raise("member?") },
    merge: ->(h, b) { pairs.(h.merge(h) { |k, x, y| y }) }, min_by: ->(h, b) { same.(*h.min_by { |k, v| k }) },
    rassoc: ->(h, b) { same.(*h.rassoc(value.(b[0]))) }, reject: ->(h, b) { pairs.(h.reject { |k, v| false }) }, select: ->(h, b) { pairs.(h.select { |k, v| true }) },
    size: ->(h, b) { h.size }, slice: ->(h, b) { pairs.(h.slice(*b)) }, sum: ->(h, b) { h.sum { |k, v| k } }, find: ->(h, b) { h.find { |k, v| k == b[0] }.nil? && raise("find") },
    detect: ->(h, b) { h.detect { |k, v| k == b[0] }.nil? && raise("detect") }, each_with_index: ->(h, b) { l = []; h.each_with_index { |(k, v), i| same.(k, v); l << k }; walked.(b, l) },
    to_a: ->(h, b) { walked.(b, h.to_a.each { |k, v| same.(k, v) }.map(&:first)) }, to_h: ->(h, b) { pairs.(h.to_h { |k, v| [k, v] }) },
    to_hash: ->(h, b) { h.to_hash.size }, to_proc: ->(h, b) { h.to_proc.call(b[0]) }, to_s: ->(h, b) { h.to_s },
    transform_keys: ->(h, b) { pairs.(h.transform_keys { |k| k }) }, transform_values: ->(h, b) { pairs.(h.transform_values { |v| v }) },
    value?: ->(h, b) { h.value?(value.(b[0])) || raise("value?") }, values: ->(h, b) { h.values }, values_at: ->(h, b) { h.values_at(*b).all? || raise("values_at") },
    entries: ->(h, b) { pairs.(h.entries) }, each_entry: ->(h, b) { pairs.(h.each_entry.to_a) }, sort_by: ->(h, b) { pairs.(h.sort_by { |k, v| k }) },
    sort: ->(h, b) { pairs.(h.sort) }, min: ->(h, b) { same.(*h.min) }, max: ->(h, b) { same.(*h.max) }, minmax: ->(h, b) { pairs.(h.minmax) },
    group_by: ->(h, b) { h.group_by { |k, v| k.even? }.each_value { |l| pairs.(l) } }, partition: ->(h, b) { h.partition { |k, v| v }.each { |l| pairs.(l) } },
    each_with_object: ->(h, b) { h.each_with_object([]) { |(k, v), l| same.(k, v) } }, reduce: ->(h, b) { h.reduce(0) { |s, (k, v)| s + k } },
    inject: ->(h, b) { h.inject(0) { |s, (k, v)| s + k } }, each_slice: ->(h, b) { h.each_slice(3) { |l| pairs.(l) } }, each_cons: ->(h, b) { h.each_cons(2) { |l| pairs.(l) } },
    first: ->(h, b) { pairs.(h.first(3)) }, take: ->(h, b) { pairs.(h.take(3)) }, drop: ->(h, b) { pairs.(h.drop(3)) }, zip: ->(h, b) { h.zip([1]) },
    to_set: ->(h, b) { pairs.(h.to_set) }, tally: ->(h, b) { h.tally.each_value.all?(1) || raise("tally") }, uniq: ->(h, b) { pairs.(h.uniq) },
    none?: ->(h, b) { h.none? { |k, v| v.nil? } || raise("none?") }, one?: ->(h, b) { h.one? { |k, v| k == b[0] } || raise("one?") },
    lazy: ->(h, b) { pairs.(h.lazy.map { |k, v| [k, v] }.to_a) }, reverse_each: ->(h, b) { pairs.(h.reverse_each.to_a) }, cycle: ->(h, b) { pairs.(h.cycle(1).to_a) },
    chunk_while: ->(h, b) { h.chunk_while { true }.to_a }, minmax_by: ->(h, b) { pairs.(h.minmax_by { |k, v| k }) }, find_index: ->(h, b) { h.find_index { |k, v| k == b[0] } || raise("find_index") },
    take_while: ->(h, b) { pairs.(h.take_while { true }) }, drop_while: ->(h, b) { pairs.(h.drop_while { |k, v| k < 0 }) }, chain: ->(h, b) { pairs.(h.chain.to_a) },
  }
  # Methods of Enumerable that Hash has as they are, over `each`, which is tried.
  through_each = %i[chunk collect_concat grep grep_v slice_after slice_before slice_when]
  FAMILIES << Family.new(
    "hash", methods: -> { Hash.public_instance_methods(false) + Enumerable.public_instance_methods(false) },
    element: ->(i) { i + 1 }, make: ->(keys) { keys.to_h { |k| [k, value.(k)] } },
    contents: ->(h) { h.each { |k, v| k == 0 || same.(k, v) }; h.keys },
    helpers: [
      ->(h, n) { put.(h, n) },
      ->(h, n) { h.merge!({ (k = n.fresh) => value.(k) }) },
      ->(h, n) { key = put.(h, n); took.(n, key, h.delete(key)) },
    ],
    writers: [
      ->(h, n) { keys = Array.new(5) { put.(h, n) }; keys.each { |k| h.delete(k) } },
      ->(h, n) { 3.times { put.(h, n) }; h.each_key { |k| k } },
      ->(h, n) { key = put.(h, n); h.delete(key); h.rehash },
    ],
    settle: all, expect: { merge!: merged }, mutating: mutating, resetting: resetting, reading: reading, excused: through_each,
  )
end
