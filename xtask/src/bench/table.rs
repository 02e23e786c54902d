//! A table of measurements, as Markdown and as JSON.

/// One cell.
pub enum Cell {
    /// A text.
    Text(String),
    /// A number with its digits after the point.
    Number(f64, usize),
    /// Nothing was measured.
    Missing,
}

impl Cell {
    fn to_markdown(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(value, digits) if value.is_finite() => format!("{value:.digits$}"),
            Self::Number(..) | Self::Missing => "—".to_owned(),
        }
    }

    fn to_json(&self) -> String {
        match self {
            Self::Text(text) => quote(text),
            Self::Number(value, _) if value.is_finite() => format!("{value}"),
            Self::Number(..) | Self::Missing => "null".to_owned(),
        }
    }
}

/// A titled table with remarks below it.
pub struct Table {
    /// Its heading.
    pub title: String,
    /// Column names.
    pub columns: Vec<String>,
    /// Rows of as many cells as there are columns.
    pub rows: Vec<Vec<Cell>>,
    /// Sentences below the table.
    pub notes: Vec<String>,
    /// What went wrong: failed runs and wrong outputs.
    pub wrong: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new(title: &str, columns: Vec<String>) -> Self {
        Self { title: title.to_owned(), columns, rows: Vec::new(), notes: Vec::new(), wrong: Vec::new() }
    }

    /// The table in Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = format!("## {}\n\n| {} |\n|", self.title, self.columns.join(" | "));
        for index in 0..self.columns.len() {
            text += if index == 0 { "---|" } else { "---:|" };
        }
        text += "\n";
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(Cell::to_markdown).collect();
            text += &format!("| {} |\n", cells.join(" | "));
        }
        text += "\n";
        for note in &self.notes {
            text += &format!("{note}\n\n");
        }
        for wrong in &self.wrong {
            text += &format!("**Wrong:** {wrong}\n\n");
        }
        text
    }
}

/// All tables as one JSON document.
pub fn to_json(tables: &[Table]) -> String {
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let tables: Vec<String> = tables
        .iter()
        .map(|table| {
            let rows = table.rows.iter().map(|row| list(row.iter().map(Cell::to_json).collect()));
            let rows: Vec<String> = rows.collect();
            format!(
                "  {{\n    \"title\": {},\n    \"columns\": {},\n    \"rows\": [\n      {}\n    ],\n    \"notes\": {},\n    \"wrong\": {}\n  }}",
                quote(&table.title),
                list(table.columns.iter().map(|text| quote(text)).collect()),
                rows.join(",\n      "),
                list(table.notes.iter().map(|text| quote(text)).collect()),
                list(table.wrong.iter().map(|text| quote(text)).collect()),
            )
        })
        .collect();
    format!("[\n{}\n]\n", tables.join(",\n"))
}

fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
