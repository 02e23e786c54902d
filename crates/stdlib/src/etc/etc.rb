# frozen_string_literal: true

# What most programs ask of Etc.
module Etc
  VERSION = "1.4.6"
  Passwd = Struct.new(:name, :passwd, :uid, :gid, :gecos, :dir, :shell)
  Group = Struct.new(:name, :passwd, :gid, :mem)

  module_function

  def nprocessors = Process.__send__(:__nprocessors)

  def getlogin = ENV["USER"] || getpwuid&.name

  def systmpdir = "/tmp"

  def sysconfdir = "/etc"

  def uname
    read = ->(name) { File.read("/proc/sys/kernel/#{name}").chomp }
    machine = RUBY_PLATFORM[/\A[^-]+/]
    { sysname: read["ostype"], nodename: read["hostname"], release: read["osrelease"], version: read["version"], machine: machine }
  end

  def passwd
    return (block_given? ? __passwd { |entry| yield entry; false } : getpwuid)
  end

  def group
    return (block_given? ? __group { |entry| yield entry; false } : getgrgid)
  end

  def getpwuid(uid = Process.uid) = __passwd { |entry| entry.uid == uid }

  def getpwnam(name) = __passwd { |entry| entry.name == name } || raise(ArgumentError, "can't find user for #{name}")

  def getgrgid(gid = Process.gid) = __group { |entry| entry.gid == gid }

  def getgrnam(name) = __group { |entry| entry.name == name } || raise(ArgumentError, "can't find group for #{name}")

  def __passwd
    File.foreach("/etc/passwd", chomp: true) do |line|
      name, passwd, uid, gid, gecos, dir, shell = line.split(":", -1)
      entry = Passwd.new(name, passwd, uid.to_i, gid.to_i, gecos, dir, shell)
      return entry if yield entry
    end
    nil
  end

  def __group
    File.foreach("/etc/group", chomp: true) do |line|
      name, passwd, gid, members = line.split(":", -1)
      entry = Group.new(name, passwd, gid.to_i, members.to_s.split(","))
      return entry if yield entry
    end
    nil
  end
  private_class_method :__passwd, :__group
end
