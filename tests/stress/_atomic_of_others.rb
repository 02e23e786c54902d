# ENV, queues, weak maps, Struct, Thread and Module: tables behind a lock, or one slot for each name.
module Atomic
  name = ->(i) { "ATOMIC_#{i}" }
  environment = {
    :[]= => ->(e, n) { e[n.fresh] = "1" }, store: ->(e, n) { e.store(n.fresh, "1") },
    delete: ->(e, n) { e[x = n.fresh] = "1"; n.took(x) if e.delete(x) },
    shift: ->(e, n) { e[n.fresh] = "1"; n.took(*e.shift&.first) },
    delete_if: ->(e, n) { e[n.unnoted] = "-"; e.delete_if { |_, v| v == "-" } },
    reject!: ->(e, n) { e[n.unnoted] = "-"; e.reject! { |_, v| v == "-" } },
    keep_if: ->(e, n) { e[n.unnoted] = "-"; e.keep_if { |_, v| v != "-" } },
    select!: ->(e, n) { e[n.unnoted] = "-"; e.select! { |_, v| v != "-" } },
    filter!: ->(e, n) { e[n.unnoted] = "-"; e.filter! { |_, v| v != "-" } },
    update: ->(e, n) { e.update(n.fresh => "1") },
    merge!: ->(e, n) { e.merge!("COUNT" => "1") { |_, a, b| (a.to_i + b.to_i).to_s }; n.count },
  }
  gone = ->(e) { e.delete_if { |_, v| v == "-" } }
  counted = ->(e, notes, base) { e.delete("COUNT").to_i.between?(notes.sum(&:counted) - 8, notes.sum(&:counted)) }
  reads = %i[assoc each each_key each_pair each_value empty? except fetch filter filter_map find_all has_key? has_value? include? inspect invert key key? keys
             length member? rassoc rehash reject select size slice to_a to_h to_hash to_s value? values values_at [] clone dup freeze]
  with = {
    assoc: ["ATOMIC_0"], except: ["A"], fetch: ["ATOMIC_0"], has_key?: ["ATOMIC_0"], has_value?: ["1"], include?: ["ATOMIC_0"], key: ["1"],
    key?: ["ATOMIC_0"], member?: ["ATOMIC_0"], rassoc: ["1"], slice: ["ATOMIC_0"], value?: ["1"], values_at: ["ATOMIC_0"], :[] => ["ATOMIC_0"],
  }
  refused = %i[clone dup freeze]
  block = %i[each each_key each_pair each_value filter filter_map find_all reject select]
  FAMILIES << Family.new(
    "env", methods: -> { ENV.singleton_methods(false) | %i[find_all] },
    element: name, make: ->(names) { ENV.replace(names.to_h { |x| [x, "1"] }); ENV },
    contents: ->(e) { e.to_h.each { |k, v| v == "1" or raise "#{k}=#{v}" }; e.keys },
    helpers: [->(e, n) { e[n.fresh] = "1" }, ->(e, n) { e.update(n.fresh => "1") }, ->(e, n) { e[x = n.fresh] = "1"; n.took(x) if e.delete(x) }],
    settle: %i[delete_if reject! keep_if select! filter!].to_h { |m| [m, gone] }, expect: { merge!: counted }, mutating: environment,
    resetting: { clear: ->(e, n) { e.clear }, replace: ->(e, n) { e.replace(n.fresh => "1") } },
    reading: reads.to_h do |m|
      body = if refused.include?(m)
        ->(e, b) { begin; e.__send__(m); raise "#{m} is allowed"; rescue TypeError; true; end }
      elsif block.include?(m)
        ->(e, b) { e.__send__(m) { |k, v| k }; true }
      else
        ->(e, b) { e.__send__(m, *with[m]); true }
      end
      [m, body]
    end,
  )

  queue = {
    push: ->(q, n) { q.push(n.fresh) }, :<< => ->(q, n) { q << n.fresh }, enq: ->(q, n) { q.enq(n.fresh) },
    pop: ->(q, n) { q << n.fresh; n.took(q.pop) }, deq: ->(q, n) { q << n.fresh; n.took(q.deq) }, shift: ->(q, n) { q << n.fresh; n.took(q.shift(true)) },
  }
  drain = ->(q) { Array.new(q.size) { q.pop(true) } }
  queue_reading = {
    empty?: ->(q, b) { q.empty? and raise "empty?" }, size: ->(q, b) { q.size >= b.size or raise "size" }, length: ->(q, b) { q.length }, num_waiting: ->(q, b) { q.num_waiting },
    closed?: ->(q, b) { q.closed? and raise "closed?" }, freeze: ->(q, b) { begin; q.freeze; raise "frozen"; rescue TypeError; true; end },
    marshal_dump: ->(q, b) { begin; q.marshal_dump; raise "dumped"; rescue TypeError; true; end },
  }
  queue_resetting = { clear: ->(q, n) { q.clear }, close: ->(q, n) { q.dup.close rescue nil } }
  # What was pushed may have been cleared away before it is taken, and then nobody pushes any more.
  take = ->(q, n) { q << n.fresh; (x = q.pop(timeout: 0.1)) and n.took(x) }
  beside = [->(q, n) { q << n.fresh }, ->(q, n) { q.push(n.fresh) }, take]
  FAMILIES << Family.new(
    "queue", methods: -> { Queue.public_instance_methods(false) }, element: ->(i) { i }, make: ->(list) { Queue.new(list) }, contents: drain,
    helpers: beside, mutating: queue, resetting: queue_resetting, reading: queue_reading,
  )
  FAMILIES << Family.new(
    "sized_queue", methods: -> { SizedQueue.public_instance_methods(true) - Object.public_instance_methods + %i[freeze] }, element: ->(i) { i },
    make: ->(list) { q = SizedQueue.new(100_000); list.each { |x| q << x }; q }, contents: drain, helpers: beside,
    mutating: queue.merge(:max= => ->(q, n) { q.max = 100_000; q << n.fresh }), resetting: queue_resetting, reading: queue_reading.merge(max: ->(q, b) { q.max }),
  )

  key = ->(i) { KEYS[i] ||= "key #{i}".freeze }
  KEYS = Hash.new
  KEYS_LOCK = Mutex.new
  kept = ->(i) { KEYS_LOCK.synchronize { key.(i) } }
  weak = {
    :[]= => ->(m, n) { m[x = n.fresh] = x }, delete: ->(m, n) { m[x = n.fresh] = x; n.took(x) if m.delete(x) },
  }
  FAMILIES << Family.new(
    "weak_map", methods: -> { ObjectSpace::WeakMap.public_instance_methods(false) }, element: kept,
    make: ->(list) { m = ObjectSpace::WeakMap.new; list.each { |x| m[x] = x }; m }, contents: ->(m) { m.keys },
    helpers: [->(m, n) { m[x = n.fresh] = x }, ->(m, n) { m[x = n.fresh] = n }, ->(m, n) { m[x = n.fresh] = x; n.took(x) if m.delete(x) }],
    mutating: weak, reading: {
      :[] => ->(m, b) { m[b[0]].equal?(b[0]) or raise "[]" }, key?: ->(m, b) { m.key?(b[0]) or raise "key?" }, include?: ->(m, b) { m.include?(b[0]) or raise "include?" },
      member?: ->(m, b) { m.member?(b[0]) or raise "member?" }, size: ->(m, b) { m.size }, length: ->(m, b) { m.length }, keys: ->(m, b) { (b - m.keys).empty? or raise "keys" },
      values: ->(m, b) { m.values.size >= b.size or raise "values" }, inspect: ->(m, b) { m.inspect }, each: ->(m, b) { l = []; m.each { |k, _| l << k }; (b - l).empty? && l.uniq == l or raise "each" },
      each_pair: ->(m, b) { m.each_pair { |k, v| k } }, each_key: ->(m, b) { m.each_key { |k| k } }, each_value: ->(m, b) { m.each_value { |v| v } },
    },
  )
  FAMILIES << Family.new(
    "weak_key_map", methods: -> { ObjectSpace::WeakKeyMap.public_instance_methods(false) }, element: kept,
    make: ->(list) { m = ObjectSpace::WeakKeyMap.new; list.each { |x| m[x] = x }; def m.noted = @noted ||= {}; m },
    contents: ->(m) { KEYS_LOCK.synchronize { KEYS.values }.select { |x| m.key?(x) } },
    helpers: [->(m, n) { m[x = n.fresh] = x }, ->(m, n) { m[x = n.fresh] = 1 }, ->(m, n) { m[x = n.fresh] = x; n.took(x) if m.delete(x) }],
    mutating: { :[]= => ->(m, n) { m[x = n.fresh] = x; m["shared"] = 1 }, delete: ->(m, n) { m[x = n.fresh] = x; n.took(x) if m.delete(x) } },
    resetting: { clear: ->(m, n) { m.clear } },
    reading: {
      :[] => ->(m, b) { m[b[0]] == b[0] or raise "[]" }, key?: ->(m, b) { m.key?(b[0]) or raise "key?" }, getkey: ->(m, b) { m.getkey(b[0].dup).equal?(b[0]) or raise "getkey" },
      inspect: ->(m, b) { m.inspect },
    },
  )

  POINT = Struct.new(*Array.new(500) { |i| :"f#{i}" })
  slots = ->(s) { s.to_a.each_with_index.filter_map { |v, i| v.nil? || v == i ? v : raise("slot #{i} holds #{v}") } }
  number = ->(i) { i / 1000 * 45 + i % 1000 }
  struct_reading = {
    :== => ->(s, b) { s == s.dup }, :[] => ->(s, b) { s[0] == 0 or raise "[]" }, deconstruct: ->(s, b) { s.deconstruct }, deconstruct_keys: ->(s, b) { s.deconstruct_keys([:f0])[:f0] == 0 or raise "keys" },
    dig: ->(s, b) { s.dig(0) }, each: ->(s, b) { s.each.to_a.size == 500 or raise "each" }, each_pair: ->(s, b) { s.each_pair { |k, v| v.nil? || k == :"f#{v}" or raise "pair" } }, eql?: ->(s, b) { s.eql?(s.dup) },
    filter: ->(s, b) { s.filter { |v| v } }, hash: ->(s, b) { s.hash }, inspect: ->(s, b) { s.inspect }, length: ->(s, b) { s.length }, members: ->(s, b) { s.members }, select: ->(s, b) { s.select { |v| v } },
    size: ->(s, b) { s.size }, to_a: ->(s, b) { slots.(s) }, to_h: ->(s, b) { s.to_h.each { |k, v| v.nil? || k == :"f#{v}" or raise "to_h" } }, to_s: ->(s, b) { s.to_s }, values: ->(s, b) { s.values },
    values_at: ->(s, b) { s.values_at(0, 1) },
  }
  FAMILIES << Family.new(
    "struct", methods: -> { Struct.public_instance_methods(false) }, element: number,
    make: ->(list) { s = POINT.new; list.each { |i| s[i] = i }; s }, contents: slots,
    helpers: [->(s, n) { i = n.fresh; s[i] = i }] * 3, mutating: { :[]= => ->(s, n) { i = n.fresh; s[:"f#{i}"] = i } }, reading: struct_reading,
  )

  # A thread's variables and a module's tables: each name is somebody's own.
  local = ->(i) { :"v#{i}" }
  FAMILIES << Family.new(
    "thread_variables", methods: -> { %i[thread_variable_set thread_variable_get thread_variable? thread_variables [] []= fetch key? keys] & Thread.public_instance_methods(false) },
    element: local, make: ->(list) { t = Thread.new { sleep }; list.each { |x| t.thread_variable_set(x, 1); t[x] = 1 }; t },
    contents: ->(t) { l = t.thread_variables; (l - t.keys).empty? && (t.keys - l).empty? or raise "#{l} #{t.keys}"; t.kill; l },
    helpers: [->(t, n) { t.thread_variable_set(x = n.fresh, 1); t[x] = 1 }] * 2 + [->(t, n) { x = n.unnoted; t[x] = 1; t.thread_variable_set(x, 1); t[x] = nil; t.thread_variable_set(x, nil) }],
    mutating: { thread_variable_set: ->(t, n) { t.thread_variable_set(x = n.fresh, 1); t[x] = 1 }, :[]= => ->(t, n) { t[x = n.fresh] = 1; t.thread_variable_set(x, 1) } },
    reading: {
      thread_variable_get: ->(t, b) { t.thread_variable_get(b[0]) == 1 or raise "lost" }, thread_variable?: ->(t, b) { t.thread_variable?(b[0]) or raise "lost" },
      thread_variables: ->(t, b) { (b - t.thread_variables).empty? or raise "lost" }, :[] => ->(t, b) { t[b[0]] == 1 or raise "lost" }, fetch: ->(t, b) { t.fetch(b[0]) == 1 or raise "lost" },
      key?: ->(t, b) { t.key?(b[0]) or raise "lost" }, keys: ->(t, b) { (b - t.keys).empty? or raise "lost" },
    },
  )
end
