# Array: elements are Integers, negative ones are there to be removed.
module Atomic
  arrays = {
    :<< => ->(a, n) { a << n.fresh },
    push: ->(a, n) { a.push(n.fresh, n.fresh) },
    append: ->(a, n) { a.append(n.fresh) },
    unshift: ->(a, n) { a.unshift(n.fresh, n.fresh) },
    prepend: ->(a, n) { a.prepend(n.fresh) },
    insert: ->(a, n) { a.insert(1, n.fresh).insert(-2, n.fresh) },
    concat: ->(a, n) { a.concat([n.fresh], [n.fresh]) },
    :[]= => ->(a, n) { a[1, 0] = [n.fresh]; a[-2, 0] = n.fresh; a[1...1] = [n.fresh] },
    pop: ->(a, n) { a << n.fresh; n.took(a.pop, *a.pop(1)); a << n.fresh },
    shift: ->(a, n) { a << n.fresh; n.took(a.shift, *a.shift(1)); a << n.fresh },
    delete: ->(a, n) { a << (x = n.fresh); n.took(a.delete(x)) },
    delete_at: ->(a, n) { a << n.fresh; n.took(a.delete_at(2), a.delete_at(-1)); a << n.fresh },
    slice!: ->(a, n) { a << n.fresh; n.took(*a.slice!(1, 1), *a.slice!(-1..), a.slice!(0)); a.push(n.fresh, n.fresh) },
    delete_if: ->(a, n) { a << -n.unnoted; a.delete_if { |x| x < 0 } },
    reject!: ->(a, n) { a << -n.unnoted; a.reject! { |x| x < 0 } },
    select!: ->(a, n) { a << -n.unnoted; a.select! { |x| x >= 0 } },
    filter!: ->(a, n) { a << -n.unnoted; a.filter! { |x| x >= 0 } },
    keep_if: ->(a, n) { a << -n.unnoted; a.keep_if { |x| x >= 0 } },
    compact!: ->(a, n) { a << nil << n.fresh; a.compact! },
    uniq!: ->(a, n) { x = n.fresh; a.push(x, x); a.uniq! },
    flatten!: ->(a, n) { a << [n.fresh, [n.fresh]]; a.flatten! },
    map!: ->(a, n) { a.map! { |x| x } },
    collect!: ->(a, n) { a.collect! { |x| x } },
    sort!: ->(a, n) { a.sort!; a.sort! { |x, y| y <=> x } },
    sort_by!: ->(a, n) { a.sort_by! { |x| -x } },
    shuffle!: ->(a, n) { a.shuffle! },
    reverse!: ->(a, n) { a.reverse! },
    rotate!: ->(a, n) { a.rotate!(3) },
  }
  resetting = {
    clear: ->(a, n) { a.clear },
    replace: ->(a, n) { a.replace([n.fresh, n.fresh]) },
    fill: ->(a, n) { a.fill { |i| n.fresh } },
  }
  settle = {
    delete_if: ->(a) { a.delete_if { |x| x < 0 } }, reject!: ->(a) { a.reject! { |x| x < 0 } },
    select!: ->(a) { a.select! { |x| x >= 0 } }, filter!: ->(a) { a.filter! { |x| x >= 0 } },
    keep_if: ->(a) { a.keep_if { |x| x >= 0 } }, compact!: ->(a) { a.compact! }, uniq!: ->(a) { a.uniq! },
    flatten!: ->(a) { a.flatten! },
  }
  reading = {
    :& => ->(a, b) { a & b }, :* => ->(a, b) { a * 2 }, :+ => ->(a, b) { a + a }, :- => ->(a, b) { a - b },
    :<=> => ->(a, b) { a <=> a.dup }, :== => ->(a, b) { a == a.dup }, :[] => ->(a, b) { [a[0], a[-1], *a[-2, 2], *a[-3..]] },
    :| => ->(a, b) { a | b }, all?: ->(a, b) { a.all?(Integer) || raise("all?") }, any?: ->(a, b) { a.any?(&:nil?) && raise("any?") },
    assoc: ->(a, b) { a.assoc(1).nil? }, at: ->(a, b) { a.at(0) }, bsearch: ->(a, b) { a.bsearch { |x| x >= 0 }.nil? },
    bsearch_index: ->(a, b) { a.bsearch_index { |x| x >= 0 }.nil? }, chain: ->(a, b) { a.chain([1]).to_a },
    chunk: ->(a, b) { a.chunk(&:even?).to_a.flatten.size }, chunk_while: ->(a, b) { a.chunk_while { |x, y| x < y }.to_a },
    collect: ->(a, b) { a.collect { |x| x + 1 } }, collect_concat: ->(a, b) { a.collect_concat { |x| [x, x] } },
    combination: ->(a, b) { a.first(4).combination(2).to_a; a.combination(1).to_a }, compact: ->(a, b) { a.compact },
    count: ->(a, b) { [a.count, a.count { |x| x > 0 }] }, cycle: ->(a, b) { a.cycle(1).to_a },
    deconstruct: ->(a, b) { a.deconstruct.dup }, detect: ->(a, b) { a.detect { |x| x >= 0 } },
    difference: ->(a, b) { a.difference(b) }, dig: ->(a, b) { a.dig(0) }, drop: ->(a, b) { a.drop(1) },
    drop_while: ->(a, b) { a.drop_while { |x| x < 3 } }, each: ->(a, b) { l = []; a.each { |x| l << x }; l },
    each_cons: ->(a, b) { a.each_cons(2).to_a }, each_entry: ->(a, b) { a.each_entry.to_a },
    each_index: ->(a, b) { a.each_index { |i| i + 1 }; 1 }, each_slice: ->(a, b) { a.each_slice(5).to_a },
    each_with_index: ->(a, b) { l = []; a.each_with_index { |x, i| l << x << i }; l },
    each_with_object: ->(a, b) { a.each_with_object([]) { |x, l| l << x } }, empty?: ->(a, b) { a.empty? },
    entries: ->(a, b) { a.entries }, eql?: ->(a, b) { a.eql?(a.dup) }, fetch: ->(a, b) { a.fetch(0) },
    fetch_values: ->(a, b) { a.fetch_values(0, -1) }, filter: ->(a, b) { a.filter { |x| x > 2 } },
    filter_map: ->(a, b) { a.filter_map { |x| x + 1 } }, find: ->(a, b) { a.find { |x| x >= 0 } },
    find_all: ->(a, b) { a.find_all { |x| x >= 0 } }, find_index: ->(a, b) { a.find_index { |x| x > 1_000_000 }.nil? },
    first: ->(a, b) { [a.first, *a.first(3)] }, flat_map: ->(a, b) { a.flat_map { |x| [x] } }, flatten: ->(a, b) { a.flatten },
    grep: ->(a, b) { a.grep(1..) }, grep_v: ->(a, b) { a.grep_v(..1) }, group_by: ->(a, b) { a.group_by(&:even?).values },
    hash: ->(a, b) { a.hash }, include?: ->(a, b) { a.include?(-5) && raise("include?") },
    index: ->(a, b) { a.index(-5).nil? }, inject: ->(a, b) { [a.inject(:+), a.inject { |x, y| x + y }] },
    inspect: ->(a, b) { a.inspect.include?("nil") && raise("inspect") }, intersect?: ->(a, b) { a.intersect?([-5]) },
    intersection: ->(a, b) { a.intersection(b) }, join: ->(a, b) { a.join(",").split(",").map { |x| Integer(x) } },
    last: ->(a, b) { [a.last, *(l = a.last(2)), l.size == 2 || raise("last(2)")] }, lazy: ->(a, b) { a.lazy.map { |x| x + 1 }.to_a },
    length: ->(a, b) { a.length }, map: ->(a, b) { a.map { |x| x + 1 } }, max: ->(a, b) { [a.max, *a.max(2)] },
    max_by: ->(a, b) { a.max_by { |x| x } }, member?: ->(a, b) { a.member?(1) }, min: ->(a, b) { [a.min, *a.min(2)] },
    min_by: ->(a, b) { a.min_by { |x| x } }, minmax: ->(a, b) { a.minmax }, minmax_by: ->(a, b) { a.minmax_by { |x| x } },
    none?: ->(a, b) { a.none?(&:nil?) || raise("none?") }, one?: ->(a, b) { a.one?(-5) }, pack: ->(a, b) { a.pack("N*").unpack("N*") },
    partition: ->(a, b) { a.partition(&:even?) }, permutation: ->(a, b) { a.permutation(1).to_a }, product: ->(a, b) { a.product([1]) },
    rassoc: ->(a, b) { a.rassoc(1).nil? }, reduce: ->(a, b) { a.reduce(0) { |x, y| x + y } }, reject: ->(a, b) { a.reject { |x| x > 3 } },
    repeated_combination: ->(a, b) { a.repeated_combination(1).to_a }, repeated_permutation: ->(a, b) { a.repeated_permutation(1).to_a },
    reverse: ->(a, b) { a.reverse }, reverse_each: ->(a, b) { a.reverse_each.to_a }, rfind: ->(a, b) { a.rfind { |x| x >= 0 } },
    rindex: ->(a, b) { a.rindex { |x| x < -5 }.nil? }, rotate: ->(a, b) { a.rotate }, sample: ->(a, b) { [a.sample, *a.sample(3)] },
    select: ->(a, b) { a.select { |x| x > 1 } }, shuffle: ->(a, b) { a.shuffle }, size: ->(a, b) { a.size },
    slice: ->(a, b) { [*a.slice(1, 2), *a.slice(-2, 2), a.slice(0)] }, slice_after: ->(a, b) { a.slice_after(&:even?).to_a },
    slice_before: ->(a, b) { a.slice_before(&:even?).to_a }, slice_when: ->(a, b) { a.slice_when { |x, y| x > y }.to_a },
    sort: ->(a, b) { a.sort }, sort_by: ->(a, b) { a.sort_by { |x| -x } }, sum: ->(a, b) { [a.sum, a.sum { |x| x }] },
    take: ->(a, b) { a.take(3) }, take_while: ->(a, b) { a.take_while { |x| x < 5 } }, tally: ->(a, b) { a.tally.keys },
    to_a: ->(a, b) { a.to_a.dup }, to_ary: ->(a, b) { a.to_ary.dup },
    to_h: ->(a, b) { a.to_h { |x| [x, x] }.keys }, to_s: ->(a, b) { a.to_s.include?("nil") && raise("to_s") },
    to_set: ->(a, b) { a.to_set.to_a }, transpose: ->(a, b) { [a.dup].transpose; a.map { |x| [x] }.transpose },
    union: ->(a, b) { a.union(b) }, uniq: ->(a, b) { [*a.uniq, *a.uniq { |x| x }] }, values_at: ->(a, b) { a.values_at(0, 1, -1, 0..1) },
    zip: ->(a, b) { a.zip(b).map(&:first) },
  }
  valid = lambda do |value|
    case value
    when Array then value.all? { |x| valid.call(x) }
    when nil then false
    else true
    end
  end
  FAMILIES << Family.new(
    "array", methods: -> { Array.public_instance_methods(false) + Enumerable.public_instance_methods(false) },
    element: ->(i) { i + 1 }, make: ->(elements) { elements.dup }, contents: ->(a) { a.dup },
    helpers: [
      ->(a, n) { a << n.fresh; a << n.fresh },
      ->(a, n) { a.insert(0, n.fresh) },
      ->(a, n) { a << (x = n.fresh); n.took(a.delete(x)) },
    ],
    writers: [
      ->(a, n) { a.push(n.fresh, n.fresh, n.fresh); a.pop(3) },
      ->(a, n) { a.unshift(n.fresh, n.fresh); a.shift; a.shift },
      ->(a, n) { a.sort!; a.push(*Array.new(30, 7)); a.delete(7); a.reverse! },
    ],
    settle: settle, mutating: arrays, resetting: resetting, reading: reading, valid: valid,
  )
end
