# frozen_string_literal: true

# What RubyGems asks the Ruby that runs it for. The installed standard library may be that of another version than the one that is
# RUBY_VERSION here; its default gems, the gems bundled with it and what was installed for it lie in folders of that version.
class << Gem
  # The folders named by version that lie beside standard libraries on the load path, and the versions.
  libraries = $LOAD_PATH.filter_map do |dir|
    library, version = File.split(dir)
    ["#{library}/gems/#{version}", version] if version.match?(/\A\d+\.\d+\.\d+\z/)
  end
  default_path, default_specifications_dir = instance_method(:default_path), instance_method(:default_specifications_dir)

  define_method(:default_path) do
    usual = default_path.bind_call(self)
    ours = "/#{RbConfig::CONFIG["ruby_version"]}"
    named = usual.select { |path| path.end_with?(ours) }
    beside = libraries.flat_map { |folder, version| [folder, *named.map { |path| "#{path.delete_suffix(ours)}/#{version}" }] }
    usual | beside.select { |path| File.directory?(path) }
  end

  define_method(:default_specifications_dir) do
    usual = default_specifications_dir.bind_call(self)
    next usual if File.directory?(usual)

    libraries.map { |folder, _| "#{folder}/specifications/default" }.find { |path| File.directory?(path) } || usual
  end

  # Whatever gems are told: what is compiled for CRuby is of no use here.
  def ruby_engine = "asterism"
end

# Of `Kernel#warn` RubyGems has a version that counts none of its own frames for `uplevel`, for engines whose own one counts them.
$LOADED_FEATURES << "#{Gem::RUBYGEMS_DIR}/rubygems/core_ext/kernel_warn.rb"

# A gem of those with an extension that was built for another Ruby is not there: who has not asked for it need not hear so.
Gem::BasicSpecification.prepend(Module.new do
  def contains_requirable_file?(file) = (base_dir == Gem.dir || !missing_extensions?) && super
end)
