//! Time: calendar arithmetic, `strftime`, zones and UTC offsets.

pub mod calendar;
pub mod strftime;
pub mod zone;

pub use calendar::{Civil, civil_from_days, days_from_civil};
pub use strftime::{TimeParts, strftime};
pub use zone::{LocalInfo, Span, UtcOffset, Zone, parse_utc_offset};

#[cfg(test)]
mod tests;
