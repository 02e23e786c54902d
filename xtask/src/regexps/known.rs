//! What is known to differ: lines of four columns between tabs.
//!
//! What may differ (`*`: anything), in which encodings (`*`: in all), what the pattern contains (a list of texts between spaces, all of which it
//! has to have; one of several between `OR`; `^` in front: it begins so), and the reason.

use super::report::Difference;

/// One line.
struct Rule {
    fields: Vec<String>,
    encodings: Vec<String>,
    contains: Vec<Vec<String>>,
}

/// All of them.
pub struct Known {
    rules: Vec<Rule>,
}

impl Known {
    /// Reads the lines; what begins with `#` is a comment.
    pub fn parse(text: &str) -> Result<Known, String> {
        let mut rules = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [fields, encodings, contains, reason] = columns[..] else {
                return Err(format!("not four columns: {line}"));
            };
            if reason.trim().is_empty() {
                return Err(format!("no reason: {line}"));
            }
            let words = |text: &str| text.split(' ').map(str::to_owned).collect();
            let contains = contains.split(" OR ").map(words).collect();
            rules.push(Rule { fields: words(fields), encodings: words(encodings), contains });
        }
        Ok(Known { rules })
    }

    /// Is all that differs explained?
    pub fn explains(&self, difference: &Difference) -> bool {
        difference.fields.iter().all(|field| self.rules.iter().any(|rule| rule.explains(difference, field)))
    }
}

impl Rule {
    fn explains(&self, difference: &Difference, field: &str) -> bool {
        let has = |list: &[String], what: &str| list.iter().any(|entry| entry == "*" || entry == what);
        let source = &difference.source;
        let contained = |text: &String| match text.strip_prefix('^') {
            _ if text == "*" => true,
            Some(beginning) if !beginning.is_empty() => source.starts_with(beginning),
            _ => source.contains(text.as_str()),
        };
        has(&self.fields, field)
            && has(&self.encodings, &difference.encoding)
            && self.contains.iter().any(|texts| texts.iter().all(contained))
    }
}
