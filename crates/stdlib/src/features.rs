//! Which libraries there are, and what makes them up.

use asterism_system::load::Feature;

use crate::{
    console, coverage, date, digest, etc, fcntl, generic_io, json, objspace, openssl, prism, psych, pty, ripper,
    socket, strscan, text_escape, zlib,
};

/// A source that goes by the name of its feature.
macro_rules! ruby {
    ($name:literal, $file:literal, $source:expr) => {
        Feature::ruby($name, $file, &[(concat!("<internal:", $name, ">"), $source)])
    };
}

/// A file that a library has elsewhere, and that is the whole of it here.
macro_rules! part {
    ($library:literal, $name:literal) => {
        Feature::ruby(
            concat!($library, "/", $name),
            concat!($library, "/", $name, ".rb"),
            &[(concat!("<internal:", $library, "/", $name, ">"), concat!("require '", $library, "'"))],
        )
    };
}

/// The libraries, by name.
pub static FEATURES: &[Feature] = &[
    Feature::ruby(
        "bigdecimal",
        "bigdecimal.so",
        &[
            ("<internal:bigdecimal>", include_str!("bigdecimal/bigdecimal.rb")),
            ("<internal:bigdecimal/arithmetic>", include_str!("bigdecimal/arithmetic.rb")),
            ("<internal:bigdecimal/functions>", include_str!("bigdecimal/functions.rb")),
        ],
    ),
    ruby!("bigdecimal/math", "bigdecimal/math.rb", include_str!("bigdecimal/math.rb")),
    ruby!("bigdecimal/util", "bigdecimal/util.rb", include_str!("bigdecimal/util.rb")),
    Feature::native("etc", "etc.so", etc::define, &[("<internal:etc>", include_str!("etc/etc.rb"))]),
    Feature::native("fcntl", "fcntl.so", fcntl::define, &[]),
    ruby!("rbconfig", "rbconfig.rb", include_str!("rbconfig/rbconfig.rb")),
    ruby!("rubygems/defaults/asterism", "rubygems/defaults/asterism.rb", include_str!("rbconfig/gem_defaults.rb")),
    // Under this name RubyGems asks where ASTERISM_ENGINE says that the engine is CRuby.
    ruby!("rubygems/defaults/ruby", "rubygems/defaults/ruby.rb", "require 'rubygems/defaults/asterism'"),
    ruby!("rbconfig/sizeof", "rbconfig/sizeof.so", include_str!("rbconfig/sizeof.rb")),
    Feature::native(
        "stringio",
        "stringio.so",
        generic_io::define,
        &[("<internal:stringio>", include_str!("stringio/stringio.rb"))],
    ),
    Feature::native(
        "strscan",
        "strscan.so",
        strscan::define,
        &[("<internal:strscan>", include_str!("strscan/strscan.rb"))],
    ),
    Feature::native("io/console", "io/console.so", console::define, console::SOURCES),
    ruby!("delegate", "delegate.rb", include_str!("delegate/delegate.rb")),
    Feature::ruby(
        "pathname.so",
        "pathname.so",
        &[
            ("<internal:pathname>", include_str!("pathname/pathname.rb")),
            ("<internal:pathname/lexical>", include_str!("pathname/lexical.rb")),
        ],
    ),
    ruby!("pathname", "pathname.rb", include_str!("pathname/library.rb")),
    ruby!("forwardable/impl", "forwardable/impl.rb", include_str!("forwardable/forwardable_impl.rb")),
    Feature::native("socket", "socket.so", socket::define, socket::SOURCES),
    ruby!("error_highlight", "error_highlight.rb", include_str!("error_highlight/error_highlight.rb")),
    Feature::ruby(
        "did_you_mean",
        "did_you_mean.rb",
        &[
            ("<internal:did_you_mean/distances>", include_str!("did_you_mean/distances.rb")),
            ("<internal:did_you_mean/spell_checker>", include_str!("did_you_mean/spell_checker.rb")),
            ("<internal:did_you_mean/checkers>", include_str!("did_you_mean/checkers.rb")),
            ("<internal:did_you_mean>", include_str!("did_you_mean/did_you_mean.rb")),
        ],
    ),
    part!("did_you_mean", "version"),
    part!("did_you_mean", "core_ext/name_error"),
    part!("did_you_mean", "formatter"),
    part!("did_you_mean", "jaro_winkler"),
    part!("did_you_mean", "levenshtein"),
    part!("did_you_mean", "spell_checker"),
    part!("did_you_mean", "tree_spell_checker"),
    part!("did_you_mean", "spell_checkers/key_error_checker"),
    part!("did_you_mean", "spell_checkers/method_name_checker"),
    part!("did_you_mean", "spell_checkers/name_error_checkers"),
    part!("did_you_mean", "spell_checkers/name_error_checkers/class_name_checker"),
    part!("did_you_mean", "spell_checkers/name_error_checkers/variable_name_checker"),
    part!("did_you_mean", "spell_checkers/null_checker"),
    part!("did_you_mean", "spell_checkers/pattern_key_name_checker"),
    part!("did_you_mean", "spell_checkers/require_path_checker"),
    Feature::native("json", "json.rb", json::init, &[("<internal:json>", include_str!("json/json.rb"))]),
    part!("json", "ext"),
    part!("json", "common"),
    part!("json", "version"),
    Feature::native("digest.so", "digest.so", digest::init, &[("<internal:digest>", include_str!("digest/digest.rb"))]),
    ruby!("digest/bubblebabble", "digest/bubblebabble.so", include_str!("digest/bubblebabble.rb")),
    ruby!("digest/md5", "digest/md5.so", "require 'digest'"),
    ruby!("digest/sha1", "digest/sha1.so", "require 'digest'"),
    ruby!("digest/rmd160", "digest/rmd160.so", "require 'digest'"),
    ruby!("digest/sha2.so", "digest/sha2.so", "require 'digest.so'"),
    Feature::native(
        "cgi/escape",
        "cgi/escape.so",
        text_escape::init,
        &[("<internal:cgi/escape>", include_str!("text_escape/cgi_escape.rb"))],
    ),
    Feature::native(
        "erb/escape",
        "erb/escape.so",
        text_escape::init,
        &[("<internal:erb/escape>", include_str!("text_escape/erb_escape.rb"))],
    ),
    Feature::native(
        "zlib",
        "zlib.so",
        zlib::init,
        &[("<internal:zlib>", include_str!("zlib/zlib.rb")), ("<internal:gzip>", include_str!("zlib/gzip.rb"))],
    ),
    Feature::native("coverage", "coverage.so", coverage::init, coverage::SOURCES),
    Feature::native("openssl.so", "openssl.so", openssl::define, openssl::SOURCES).unless_installed(),
    Feature::ruby("openssl/pkey/errors.so", "openssl/pkey/errors.so", openssl::ERRORS),
    Feature::native("pty", "pty.so", pty::define, pty::SOURCES),
    Feature::native("psych.so", "psych.so", psych::define, &[("<internal:psych>", include_str!("psych/psych.rb"))]),
    Feature::native("prism", "prism.rb", prism::init, prism::SOURCES),
    Feature::native("ripper.so", "ripper.so", ripper::init, ripper::SOURCES),
    Feature::ruby("date_core", "date_core.so", date::SOURCES),
    ruby!("pp", "pp.rb", include_str!("pp/pp_show.rb")),
    Feature::after(
        "concurrent/utility/engine.rb",
        &[("<internal:concurrent/utility/engine>", include_str!("gems/concurrent_engine.rb"))],
    ),
    Feature::native("objspace", "objspace.so", objspace::init, objspace::SOURCES),
];
