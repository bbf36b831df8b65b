//! Charts as SVG, drawn by `plotters`. Colours are names that the style of the page defines, so that a chart is light or
//! dark with the page.

use super::figures::{Chart, Point};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (720, 320);
/// Drawn with these, and then named: see `named`.
const INK: RGBColor = RGBColor(1, 2, 3);
const FAINT: RGBColor = RGBColor(4, 5, 6);
const LINES: [RGBColor; 3] = [RGBColor(7, 8, 9), RGBColor(10, 11, 12), RGBColor(13, 14, 15)];

/// The chart as an SVG element; nothing when there is nothing to draw.
pub(super) fn svg(chart: &Chart) -> Option<String> {
    let mut out = String::new();
    draw(chart, &mut out)?;
    Some(named(&out))
}

fn draw(chart: &Chart, out: &mut String) -> Option<()> {
    let up = |value: f64| if chart.logarithmic { value.max(0.5).log10() } else { value };
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let ends = |point: &Point| [up(point.low.unwrap_or(point.y)), up(point.high.unwrap_or(point.y))];
    let (left, right) = range(points().map(|point| point.x))?;
    let (_, top) = range(points().flat_map(ends))?;
    let (bottom, top) = (0.0, if chart.logarithmic { top.ceil().max(1.0) } else { top * 1.05 });
    let ticks = if chart.logarithmic { (top as usize).min(8) + 1 } else { 8 };
    let area = SVGBackend::with_string(out, SIZE).into_drawing_area();
    let mut context = ChartBuilder::on(&area)
        .margin(10)
        .margin_top(34)
        .x_label_area_size(40)
        .y_label_area_size(76)
        .build_cartesian_2d(left..right, bottom..top.max(1e-9))
        .ok()?;
    let word = ("sans-serif", 13).into_font().color(&INK);
    let upward = |value: &f64| if chart.logarithmic { power(*value) } else { plain(*value) };
    context
        .configure_mesh()
        .disable_x_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT.mix(0.25))
        .axis_style(FAINT)
        .x_desc(&chart.x)
        .y_desc(&chart.y)
        .y_labels(ticks)
        .y_label_formatter(&upward)
        .x_label_formatter(&|value| plain(*value))
        .label_style(word.clone())
        .axis_desc_style(word.clone())
        .draw()
        .ok()?;
    for (series, colour) in chart.series.iter().zip(LINES.iter().cycle()) {
        for point in series.points.iter().filter(|point| point.low.is_some()) {
            let [low, high] = ends(point);
            let bar = PathElement::new([(point.x, low), (point.x, high)], colour.mix(0.45));
            context.draw_series(std::iter::once(bar)).ok()?;
        }
        let line = series.points.iter().map(|point| (point.x, up(point.y)));
        context.draw_series(LineSeries::new(line.clone(), colour.stroke_width(2))).ok()?;
        if series.points.len() <= 60 {
            context.draw_series(line.map(|at| Circle::new(at, 2, colour.filled()))).ok()?;
        }
    }
    if chart.series.len() > 1 {
        for (at, (series, colour)) in chart.series.iter().zip(LINES.iter().cycle()).enumerate() {
            let style = ("sans-serif", 13).into_font().color(colour).pos(Pos::new(HPos::Right, VPos::Top));
            let place = (SIZE.0 as i32 - 16 - 150 * at as i32, 8);
            area.draw(&Text::new(series.name.clone(), place, style)).ok()?;
        }
    }
    area.present().ok()
}

/// The least and the largest of some numbers, not both the same.
fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    let (low, high) = values
        .filter(|value| value.is_finite())
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    (low <= high).then_some(if high > low { (low, high) } else { (low - 0.5, high + 0.5) })
}

fn plain(value: f64) -> String {
    if (value - value.round()).abs() < 1e-9 { format!("{value:.0}") } else { format!("{value:.2}") }
}

fn power(log: f64) -> String {
    if log < 4.5 && (log - log.round()).abs() < 1e-9 {
        super::words::grouped(10f64.powf(log))
    } else {
        format!("10^{}", plain(log))
    }
}

/// The colours by name, and the picture as wide as its place.
fn named(svg: &str) -> String {
    let mut svg = svg.replace("#010203", "currentColor").replace("#040506", "var(--faint)");
    for (at, colour) in ["#070809", "#0A0B0C", "#0D0E0F"].iter().enumerate() {
        svg = svg.replace(colour, &format!("var(--line-{at})"));
    }
    let sized = format!("width=\"{}\" height=\"{}\"", SIZE.0, SIZE.1);
    svg.replacen(&sized, "role=\"img\"", 1)
}
