# Users, groups, and settings of the system, as the C library has them.
require "etc"

def raised
  yield
rescue StandardError => e
  "#{e.class}: #{e.message}"
end

root = Etc.getpwnam("root")
p root.uid, root.dir, root.class # => 0
# => "/root"
# => Etc::Passwd
p Etc.getpwuid(0) == root, Etc.getgrnam("root").gid, Etc.getgrgid(0).name # => true
# => 0
# => "root"
p raised { Etc.getpwuid(987_654) } # => "ArgumentError: can't find user for 987654"
p raised { Etc.getgrgid(987_654) } # => "ArgumentError: can't find group for 987654"
p raised { Etc.getpwnam("no such user") } # => "ArgumentError: can't find user for no such user"
p raised { Etc.getpwnam(:root) } # => "TypeError: no implicit conversion of Symbol into String"
p raised { Etc.getpwuid("0") } # => "TypeError: no implicit conversion of String into Integer"
p raised { Etc.getgrnam("a\0") } # => "ArgumentError: string contains null byte"
p raised { Etc.getpwuid(1 << 40) } # => "RangeError: integer 1099511627776 too big to convert to 'unsigned int'"

names = []
p Etc.passwd { |user| names << user.name } # => nil
p names == Etc::Passwd.map(&:name), names.include?("root") # => true
# => true
p raised { Etc.passwd { Etc.passwd {} } } # => "RuntimeError: parallel passwd iteration"
p raised { Etc.group { Etc.group {} } } # => "RuntimeError: parallel group iteration"
p Etc::Group.each.first.class # => Etc::Group
Etc.setpwent
p [Etc.getpwent, Etc.passwd].map(&:name) == names.first(2) # => true
Etc.endpwent
p Etc.getpwent.name == names[0], Etc.getgrent.class # => true
# => Etc::Group
Etc.endgrent

p Etc.sysconf(Etc::SC_PAGESIZE) >= 4096, Etc.confstr(Etc::CS_PATH).include?("/bin") # => true
# => true
p raised { Etc.sysconf(-1) } # => "Errno::EINVAL: Invalid argument - sysconf"
p raised { Etc.confstr(-1) } # => "Errno::EINVAL: Invalid argument - confstr"
IO.pipe { |read, _| p read.pathconf(Etc::PC_PIPE_BUF) } # => 4096
p Etc.uname.keys, Etc.uname[:sysname] # => [:sysname, :nodename, :release, :version, :machine]
# => "Linux"
p Thread.new { Etc.getpwuid(0).name }.value, Ractor.new { Etc.getpwuid(0).name }.value # => "root"
# => "root"
# stderr: Ractor API is experimental
include Etc
p getpwnam("root").uid # => 0
