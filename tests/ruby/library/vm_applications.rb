# The applications of examples/vms: VMs and processes come to the same results.
begin
  require "csv"
  require "erb"
  require "drb"
rescue LoadError => e
  puts "skipped: #{e.message}"
  exit
end
require "rbconfig"

def run(program, *args)
  file = File.expand_path("../../../examples/vms/#{program}.rb", __dir__)
  IO.popen([RbConfig.ruby, file, *args.map(&:to_s)], &:read).lines.first
end

def same(program, *args)
  vms, processes = %w[vms processes].map { |mode| run(program, mode, *args) }
  vms == processes ? vms : [vms, processes]
end

puts same("html", 2, 3, 60) # => 60 pages, 14574 bytes
puts same("db", 2, 20) # => 40 requests, 905 bytes
puts same("ao", 2, 12) # => checksum 15904
p run("web", "vms", 2, 2, 1).delete_prefix("requests: ").to_i > 0 # => true
p run("web", "processes", 2, 2, 1).delete_prefix("requests: ").to_i > 0 # => true
