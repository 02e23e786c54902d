//! The native part of the library `date`, which here is Ruby: Date, DateTime and Time's conversions to them.

/// Its files, in the order in which they build on each other.
pub const SOURCES: &[(&str, &str)] = &[
    ("<internal:date>", include_str!("date.rb")),
    ("<internal:date/strftime>", include_str!("strftime.rb")),
    ("<internal:date/datetime>", include_str!("datetime.rb")),
    ("<internal:date/zones>", include_str!("zones.rb")),
    ("<internal:date/strptime>", include_str!("strptime.rb")),
    ("<internal:date/parse>", include_str!("parse.rb")),
];
