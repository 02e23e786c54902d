//! Curves as a picture: SVG, both axes logarithmic, one line a Ruby.

/// One curve.
pub struct Line {
    /// What the legend calls it.
    pub name: String,
    /// A value for each label; NaN where there is none.
    pub values: Vec<f64>,
}

/// A picture.
pub struct Curves {
    /// Its heading.
    pub title: String,
    /// What the labels count.
    pub x: String,
    /// What the values count.
    pub y: String,
    /// Labels along the bottom, at equal distances.
    pub labels: Vec<String>,
    /// The curves.
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 400.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 150.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
const COLOURS: [&str; 5] = ["#c0392b", "#2c3e50", "#2980b9", "#27ae60", "#8e44ad"];

impl Curves {
    /// The picture as SVG.
    pub fn to_svg(&self) -> String {
        let values = || self.lines.iter().flat_map(|line| &line.values).copied().filter(|v| v.is_finite() && *v > 0.0);
        let low = values().fold(f64::INFINITY, f64::min).log10().floor();
        let high = values().fold(0.0, f64::max).log10().ceil();
        let (low, high) = if low.is_finite() && high > low { (low, high) } else { (0.0, 1.0) };
        let place_x = |index: usize| {
            LEFT + (WIDTH - LEFT - RIGHT) * index as f64 / (self.labels.len().saturating_sub(1).max(1)) as f64
        };
        let place_y = |value: f64| TOP + (HEIGHT - TOP - BOTTOM) * (high - value.log10()) / (high - low);

        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}</text>\n",
            escape(&self.title)
        );
        let mut power = low;
        while power <= high {
            let y = place_y(10_f64.powf(power));
            let right = WIDTH - RIGHT;
            svg += &format!(
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{right}\" y2=\"{y:.1}\" stroke=\"#ddd\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>\n",
                LEFT - 8.0,
                y + 4.0,
                10_f64.powf(power)
            );
            power += 1.0;
        }
        for (index, label) in self.labels.iter().enumerate() {
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n",
                place_x(index),
                HEIGHT - BOTTOM + 18.0,
                escape(label)
            );
        }
        svg += &format!(
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n<text x=\"14\" y=\"{}\" transform=\"rotate(-90 14 {})\" \
             text-anchor=\"middle\">{}</text>\n",
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 12.0,
            escape(&self.x),
            HEIGHT / 2.0,
            HEIGHT / 2.0,
            escape(&self.y)
        );
        for (number, line) in self.lines.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            let points: Vec<(f64, f64)> = line
                .values
                .iter()
                .enumerate()
                .filter(|(_, value)| value.is_finite() && **value > 0.0)
                .map(|(index, &value)| (place_x(index), place_y(value)))
                .collect();
            let path: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            svg += &format!(
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n",
                path.join(" ")
            );
            for (x, y) in &points {
                svg += &format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>\n");
            }
            let y = TOP + 18.0 * number as f64;
            svg += &format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"4\" fill=\"{colour}\"/>\n<text x=\"{}\" y=\"{}\">{}</text>\n",
                WIDTH - RIGHT + 20.0,
                y,
                WIDTH - RIGHT + 30.0,
                y + 4.0,
                escape(&line.name)
            );
        }
        svg + "</svg>\n"
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
