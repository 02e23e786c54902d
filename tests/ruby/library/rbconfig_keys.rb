# What scripts that build native code read from RbConfig.
require "rbconfig"

p RbConfig::CONFIG.values_at("host_alias", "build_alias", "target_alias") # => ["", "", ""]
