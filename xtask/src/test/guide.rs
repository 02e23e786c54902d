//! The programs of the guide: what stands in `docs/guide` and `docs/MOVING.md` between ```` ```ruby ```` and ```` ``` ```` is run with its
//! expectations, as a test is.

use std::fs;
use std::path::{Path, PathBuf};

use crate::repo;

/// Writes each program of the guide to a file of its own below `target/guide`; their paths, relative to the root.
pub fn programs(root: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = Path::new("target/guide");
    fs::create_dir_all(root.join(folder)).map_err(|error| format!("{}: {error}", folder.display()))?;
    let pages = repo::files(root)?
        .into_iter()
        .filter(|name| name.ends_with(".md") && (name.starts_with("docs/guide/") || name == "docs/MOVING.md"));
    let mut paths = Vec::new();
    for page in pages {
        let stem = Path::new(&page).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        for (number, program) in blocks(&repo::read(root, &page)?).into_iter().enumerate() {
            let path = folder.join(format!("{stem}_{}.rb", number + 1));
            fs::write(root.join(&path), program).map_err(|error| format!("{}: {error}", path.display()))?;
            paths.push(path);
        }
    }
    Ok(paths)
}

/// The Ruby programs of a page, each behind as many empty lines as stand before it, so that lines have the page's numbers.
fn blocks(page: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut open: Option<String> = None;
    for (number, line) in page.lines().enumerate() {
        match &mut open {
            None if line == "```ruby" => open = Some("\n".repeat(number + 1)),
            None => {}
            Some(_) if line == "```" => blocks.extend(open.take()),
            Some(program) => {
                program.push_str(line);
                program.push('\n');
            }
        }
    }
    blocks
}

#[cfg(test)]
#[path = "guide_tests.rs"]
mod tests;
