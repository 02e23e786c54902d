# frozen_string_literal: true

# What RubyGems asks the Ruby that runs it for. The installed standard library may be that of another version than the one that is
# RUBY_VERSION here; the specifications of its default gems lie beside it.
class << Gem
  own = instance_method(:default_specifications_dir)

  define_method(:default_specifications_dir) do
    usual = own.bind_call(self)
    next usual if File.directory?(usual)

    installed = $LOAD_PATH.filter_map do |dir|
      library, version = File.split(dir)
      found = "#{library}/gems/#{version}/specifications/default"
      found if version.match?(/\A\d+\.\d+\.\d+\z/) && File.directory?(found)
    end
    installed.first || usual
  end
end
