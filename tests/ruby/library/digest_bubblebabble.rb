# digest/bubblebabble

require "digest/bubblebabble"

p Digest.bubblebabble(""), Digest.bubblebabble("a"), Digest.bubblebabble("Pineapple") # => "xexax"
# => "ximex"
# => "xigak-nyryk-humil-bosek-sonax"
p Digest::MD5.bubblebabble("message") # => "xivav-lisab-dizem-zahob-vyheg-dityb-rizyn-pimer-fexux"
p Digest::SHA256.new.update("ruby").bubblebabble # => "xovec-febun-gyzyv-nonos-mevyk-tuvyt-careh-kinan-hyget-cifan-syteb-rynov-fovyh-pemov-husil-macuh-pyxyx"
p((Digest.bubblebabble(nil) rescue $!.message)) # => "no implicit conversion of nil into String"
