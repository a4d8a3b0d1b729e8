use super::*;

/// Twenty rounds around `middle`, up to `spread` to either side, in no order.
fn planted(middle: f64, spread: f64) -> RatioStats {
    let steps = [7, -3, 10, -9, 1, -6, 4, -1, 8, -10, 3, -7, 6, -4, 9, -2, 2, -8, 5, -5];
    RatioStats::of(steps.iter().map(|step| middle + spread * f64::from(*step) / 10.0).collect(), Comparisons(1))
}

fn ramp(rounds: u32) -> Option<(f64, f64)> {
    interval(&(1..=rounds).map(f64::from).collect::<Vec<_>>(), Comparisons(1))
}

#[test]
fn equal_builds_have_no_difference() {
    let equal = planted(1.0, 0.015);
    assert_eq!(equal.verdict, SpeedVerdict::NoDifference);
    assert_eq!(equal.in_words(), "no difference: less than 2 %");
    assert_eq!(RatioStats::of(vec![1.0; 20], Comparisons(1)).verdict, SpeedVerdict::NoDifference);
}

#[test]
fn slower_build_is_slower_by_its_median() {
    let slower = planted(0.95, 0.015);
    assert_eq!(slower.verdict, SpeedVerdict::Slower);
    assert_eq!(slower.in_words(), "slower by 5.0 %");
}

#[test]
fn faster_build_is_faster_by_its_median() {
    assert_eq!(planted(1.07, 0.015).in_words(), "faster by 7.0 %");
}

#[test]
fn noisy_rounds_cannot_tell_and_say_by_how_much() {
    let noisy = planted(1.0, 0.1);
    assert_eq!(noisy.verdict, SpeedVerdict::CannotTell);
    assert_eq!(noisy.in_words(), "cannot tell: between 5.0 % slower and 5.0 % faster");
    assert_eq!(planted(0.985, 0.04).in_words(), "cannot tell: between 3.5 % slower and 0.5 % faster");
}

#[test]
fn difference_within_tolerance_is_none_however_sure_it_is() {
    let sure = planted(0.99, 0.002);
    assert!(sure.interval.is_some_and(|(_, high)| high < 1.0));
    assert_eq!(sure.verdict, SpeedVerdict::NoDifference);
}

#[test]
fn interval_that_leaves_tolerance_without_reaching_1_is_a_difference() {
    assert_eq!(planted(0.98, 0.02).verdict, SpeedVerdict::Slower);
    assert_eq!(planted(0.985, 0.04).verdict, SpeedVerdict::CannotTell);
}

#[test]
fn one_wild_round_changes_nothing() {
    let mut ratios = planted(1.0, 0.015).ratios;
    ratios[0] = 9.0;
    assert_eq!(RatioStats::of(ratios, Comparisons(1)).verdict, SpeedVerdict::NoDifference);
}

#[test]
fn interval_has_the_ranks_of_the_sign_test() {
    // By exact sums of binomial coefficients.
    assert_eq!(ramp(6), Some((1.0, 6.0)));
    assert_eq!(ramp(10), Some((2.0, 9.0)));
    assert_eq!(ramp(20), Some((6.0, 15.0)));
    assert_eq!(ramp(40), Some((14.0, 27.0)));
    // Half to the power of 2000 is none of a double's numbers.
    assert_eq!(ramp(2000), Some((956.0, 1045.0)));
}

#[test]
fn intervals_of_many_operations_are_wider() {
    let twenty: Vec<f64> = (1..=20).map(f64::from).collect();
    assert_eq!(interval(&twenty, Comparisons(14)), Some((4.0, 17.0)));
    // The least number of rounds for fourteen: half to the power of nine is less than a share of the misses.
    assert_eq!(interval(&twenty[..9], Comparisons(14)), None);
    assert_eq!(interval(&twenty[..10], Comparisons(14)), Some((1.0, 10.0)));
}

#[test]
fn too_few_rounds_have_no_interval() {
    assert_eq!(ramp(0), None);
    assert_eq!(ramp(5), None);
    let few = RatioStats::of(vec![1.0; 5], Comparisons(1));
    assert_eq!(few.in_words(), "cannot tell: too few rounds (5)");
}

#[test]
fn quartiles_enclose_the_middle_half() {
    let of = |ratios: &[f64]| RatioStats::of(ratios.to_vec(), Comparisons(1)).quartiles;
    assert_eq!(of(&[4.0, 1.0, 3.0, 2.0]), (1.5, 3.5));
    assert_eq!(of(&[5.0, 4.0, 3.0, 2.0, 1.0]), (2.0, 4.0));
}

#[test]
fn limit_holds_for_the_median_however_wide_the_interval_is() {
    assert!(planted(0.969, 0.002).is_below(0.97));
    assert!(planted(0.969, 0.1).is_below(0.97));
    assert!(!planted(0.971, 0.1).is_below(0.97));
    assert!(!RatioStats::of(vec![0.97; 20], Comparisons(1)).is_below(0.97));
}
