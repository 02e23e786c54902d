# frozen_string_literal: true

# Users, groups and settings of the system.
module Etc
  VERSION = "1.4.6"

  # A line of one of the system's tables.
  module Table
    include Enumerable

    def each
      return to_enum(:each) unless block_given?
      Etc.__send__(:__each, self, __of_system) { |entry| yield entry }
      self
    end
  end
  private_constant :Table

  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Passwd.extend(Table)
  Group = Struct.new(:name, :passwd, :gid, :mem)
  Group.extend(Table)

  class << Passwd
    private def __of_system = Etc.__send__(:__users)
  end

  class << Group
    private def __of_system = Etc.__send__(:__groups)
  end

  @walks = {}
  @walking = {}

  class << self
    def nprocessors = Process.__send__(:__nprocessors)

    def getlogin = __login || ENV["USER"]

    def systmpdir = "/tmp"

    def sysconfdir = "/etc"

    def uname = [:sysname, :nodename, :release, :version, :machine].zip(__system).to_h

    def passwd
      return getpwent unless block_given?
      __each(Passwd, __users) { |entry| yield entry }
      nil
    end

    def group
      return getgrent unless block_given?
      __each(Group, __groups) { |entry| yield entry }
      nil
    end

    def getpwuid(uid = Process.uid)
      uid = Primitive.to_int(uid)
      __entry(Passwd, __user(uid)) || raise(ArgumentError, "can't find user for #{uid}")
    end

    def getpwnam(name)
      name = Asterism::Internal.to_str(name)
      __entry(Passwd, __user(name)) || raise(ArgumentError, "can't find user for #{name}")
    end

    def getgrgid(gid = Process.gid)
      gid = Primitive.to_int(gid)
      __entry(Group, __group(gid)) || raise(ArgumentError, "can't find group for #{gid}")
    end

    def getgrnam(name)
      name = Asterism::Internal.to_str(name)
      __entry(Group, __group(name)) || raise(ArgumentError, "can't find group for #{name}")
    end

    def getpwent = __next(Passwd) { __users }

    def getgrent = __next(Group) { __groups }

    def setpwent
      @walks.delete(Passwd)
      nil
    end
    alias endpwent setpwent

    def setgrent
      @walks.delete(Group)
      nil
    end
    alias endgrent setgrent

    private

    def __entry(kind, values) = values && kind.new(*values)

    # The next entry of the table that this walks through, which is read when the walk begins.
    def __next(kind)
      __entry(kind, (@walks[kind] ||= yield).shift)
    end

    def __each(kind, entries)
      if @walking[kind]
        raise "parallel #{kind == Passwd ? "passwd" : "group"} iteration"
      end
      @walking[kind] = true
      begin
        entries.each { |values| yield kind.new(*values) }
      ensure
        @walking.delete(kind)
      end
    end
  end

  singleton_methods(false).each do |name|
    define_method(name) { |*args, &block| Etc.__send__(name, *args, &block) }
    private name
  end
end

class IO
  def pathconf(name) = Etc.__send__(:__pathconf, fileno, Primitive.to_int(name))
end
