//! Charts: bars made from counts, with a table behind each.

use crate::messages::Key;
use crate::model::time::Time;

/// The size of a chart in units of its own; it is as wide as its place.
const WIDTH: u32 = 240;
const HEIGHT: u32 = 48;
const GAP: u32 = 2;

#[derive(Clone, Debug)]
pub struct Chart {
    /// Its id, unique on the page.
    pub id: &'static str,
    pub title: Key,
    /// The count of each period by when it began, the oldest first.
    pub points: Vec<(Time, u64)>,
    /// Whether the periods are days; else they are hours.
    pub is_daily: bool,
}

pub(super) struct Bar {
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Chart {
    pub(super) fn total(&self) -> u64 {
        self.points.iter().map(|(_, count)| count).sum()
    }

    pub(super) fn view_box() -> String {
        format!("0 0 {WIDTH} {HEIGHT}")
    }

    /// The bars, the highest as high as the chart. What was counted at all is seen.
    pub(super) fn bars(&self) -> Vec<Bar> {
        let highest = self.points.iter().map(|(_, count)| *count).max().unwrap_or_default().max(1);
        let step = WIDTH / u32::try_from(self.points.len().max(1)).unwrap_or(WIDTH);
        let bar = |(index, (_, count)): (usize, &(Time, u64))| {
            let share = u128::from(*count) * u128::from(HEIGHT) / u128::from(highest);
            let height = u32::try_from(share).unwrap_or(HEIGHT).max(u32::from(*count > 0));
            let x = u32::try_from(index).unwrap_or_default() * step;
            Bar { x, y: HEIGHT - height, width: step.saturating_sub(GAP).max(1), height }
        };
        self.points.iter().enumerate().map(bar).collect()
    }
}

#[cfg(test)]
#[path = "chart_tests.rs"]
mod tests;
