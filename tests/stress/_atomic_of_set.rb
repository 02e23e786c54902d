# Set: elements are Integers; 1,000,000 and more are there to be removed.
module Atomic
  victim = ->(s, n) { s << 1_000_000 + n.unnoted }
  doomed = ->(x) { x.is_a?(Integer) && x >= 1_000_000 }
  mutating = {
    :<< => ->(s, n) { s << n.fresh },
    add: ->(s, n) { s.add(n.fresh) },
    add?: ->(s, n) { s.add?(n.fresh) or raise "a new element was there"; n.count if s.add?(-1) },
    delete: ->(s, n) { s << (x = n.unnoted); s.delete(x) },
    delete?: ->(s, n) { s << (x = n.fresh); n.took(x) if s.delete?(x) },
    delete_if: ->(s, n) { victim.(s, n); s.delete_if(&doomed) },
    reject!: ->(s, n) { victim.(s, n); s.reject!(&doomed) },
    keep_if: ->(s, n) { victim.(s, n); s.keep_if { |x| !doomed.(x) } },
    select!: ->(s, n) { victim.(s, n); s.select! { |x| !doomed.(x) } },
    filter!: ->(s, n) { victim.(s, n); s.filter! { |x| !doomed.(x) } },
    map!: ->(s, n) { s << n.fresh; s.map! { |x| x } },
    collect!: ->(s, n) { s << n.fresh; s.collect! { |x| x } },
    merge: ->(s, n) { s.merge([n.fresh, n.fresh], Set[n.fresh]) },
    subtract: ->(s, n) { s << (x = n.unnoted); s.subtract([x]) },
    flatten!: ->(s, n) { s << Set[n.fresh, Set[n.fresh]]; s.flatten! },
    reset: ->(s, n) { s << n.fresh; s.reset },
    compare_by_identity: ->(s, n) { s << n.fresh; s.compare_by_identity },
  }
  resetting = {
    clear: ->(s, n) { s.clear },
    replace: ->(s, n) { s.replace([n.fresh, n.fresh]) },
    freeze: ->(s, n) { s.dup.freeze },
  }
  clean = ->(s) { s.delete_if(&doomed) }
  all = %i[delete_if reject! keep_if select! filter!].to_h { |name| [name, clean] }.merge(flatten!: ->(s) { s.flatten! })
  once = lambda do |s, notes, base|
    s.delete?(-1) && notes.sum(&:counted) == 1 && s.to_a.sort == (base + notes.flat_map { |n| n.added - n.taken }).sort - notes.flat_map(&:taken)
  end
  has = ->(s, b) { b.all? { |x| s.include?(x) } or raise "lost"; true }
  walked = ->(list, b) { found = list.tally; b.all? { |x| found[x] == 1 } && found.each_value.all?(1) or raise "walked #{list.inspect}"; true }
  reading = {
    :& => ->(s, b) { has.(s & s, b) }, :+ => ->(s, b) { has.(s + [1], b) }, :- => ->(s, b) { (s - b).include?(b[0]) and raise "-" },
    :< => ->(s, b) { s < Set[] and raise "<" }, :<= => ->(s, b) { s <= Set[] and raise "<=" }, :<=> => ->(s, b) { s <=> Set[b[0]] },
    :== => ->(s, b) { s == s.dup; s == Set[*b] }, :=== => ->(s, b) { s === b[0] or raise "===" }, :> => ->(s, b) { s > Set[b[0]] or raise ">" },
    :>= => ->(s, b) { s >= Set[*b] or raise ">=" }, :^ => ->(s, b) { s ^ b }, classify: ->(s, b) { has.(s.classify(&:even?).values.sum(Set[]), b) },
    compare_by_identity?: ->(s, b) { s.compare_by_identity? }, difference: ->(s, b) { s.difference(b) }, disjoint?: ->(s, b) { s.disjoint?(b) and raise "disjoint?" },
    divide: ->(s, b) { has.(s.divide(&:even?).sum(Set[]), b) }, each: ->(s, b) { l = []; s.each { |x| l << x }; walked.(l, b) }, empty?: ->(s, b) { s.empty? and raise "empty?" },
    eql?: ->(s, b) { s.eql?(s.dup) }, first: ->(s, b) { s.first or raise "first" }, flatten: ->(s, b) { has.(s.flatten, b) }, hash: ->(s, b) { s.hash },
    include?: ->(s, b) { has.(s, b) }, inspect: ->(s, b) { s.inspect }, intersect?: ->(s, b) { s.intersect?(b) or raise "intersect?" }, intersection: ->(s, b) { has.(s.intersection(b), b) },
    join: ->(s, b) { s.join(",").split(",").each { |x| Integer(x) } }, length: ->(s, b) { s.length >= b.size or raise "length" }, member?: ->(s, b) { s.member?(b[0]) or raise "member?" },
    proper_subset?: ->(s, b) { s.proper_subset?(Set[]) and raise "subset" }, proper_superset?: ->(s, b) { s.proper_superset?(Set[b[0]]) or raise "superset" }, size: ->(s, b) { s.size },
    subset?: ->(s, b) { s.subset?(Set[]) and raise "subset?" }, superset?: ->(s, b) { s.superset?(Set[*b]) or raise "superset?" }, to_a: ->(s, b) { walked.(s.to_a, b) },
    to_s: ->(s, b) { s.to_s }, to_set: ->(s, b) { has.(s.to_set, b) }, union: ->(s, b) { has.(s.union(b), b) },
  }
  reading[:|] = ->(s, b) { has.(s | b, b) }
  # What comes from Enumerable goes through `each`.
  FAMILIES << Family.new(
    "set", methods: -> { Set.public_instance_methods(false) },
    element: ->(i) { i + 1 }, make: ->(elements) { Set.new(elements) }, contents: ->(s) { s.to_a },
    helpers: [
      ->(s, n) { s << n.fresh },
      ->(s, n) { s.merge([n.fresh, n.fresh]) },
      ->(s, n) { s << (x = n.fresh); n.took(x) if s.delete?(x) },
    ],
    writers: [
      ->(s, n) { list = Array.new(5) { n.fresh }; s.merge(list); s.subtract(list) },
      ->(s, n) { s << n.fresh },
      ->(s, n) { s << (x = n.fresh); s.delete(x); s.reset },
    ],
    settle: all, expect: { add?: once }, mutating: mutating, resetting: resetting, reading: reading,
  )
end
