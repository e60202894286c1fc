//! Files behind loop devices whose recorded path does not lead to them.

use std::fs;
use std::path::Path;
use std::process::Command;

use kneepoint_device::consent::Reason;
use kneepoint_testkit::skipped;

use crate::check_file_refused;
use crate::loop_bench::{Bench, Loop, overlay, run};

fn check_shown(file: &Path) {
    check_file_refused(file, |reason| matches!(reason, Reason::LoopBacking { .. }));
}

#[test]
fn a_file_whose_first_name_is_deleted_is_refused() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("first", 16);
    let second = image.with_file_name("second");
    fs::hard_link(&image, &second).unwrap();
    let _disk = Loop::attach(&image, &[]);
    fs::remove_file(&image).unwrap();
    check_shown(&second);
    fs::write(&image, vec![0; 16 << 20]).unwrap();
    check_shown(&second);
}

#[test]
fn a_file_that_is_really_called_deleted_is_refused() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("x (deleted)", 16);
    let other_name = image.with_file_name("hard link");
    fs::hard_link(&image, &other_name).unwrap();
    let _disk = Loop::attach(&image, &[]);
    check_shown(&image);
    check_shown(&other_name);
}

#[test]
fn a_file_that_was_attached_in_another_mount_namespace_is_refused() {
    let Some(bench) = Bench::new(&["unshare"]) else { return };
    let image = bench.image("outside", 16);
    let place = bench.mount_point();
    fs::write(place.join("inside"), "").unwrap();
    let script = format!(
        "mount --bind '{}' '{}' && losetup --find --show '{}'",
        image.display(),
        place.join("inside").display(),
        place.join("inside").display()
    );
    let output = Command::new("unshare").args(["--mount", "sh", "-c", &script]).output().unwrap();
    if !output.status.success() {
        skipped(String::from_utf8_lossy(&output.stderr));
        return;
    }
    let node = String::from_utf8(output.stdout).unwrap().trim().into();
    let _disk = Loop { node, image: image.clone() };
    check_shown(&image);
}

#[test]
fn the_layers_of_an_overlay_are_refused_while_a_loop_device_shows_the_file() {
    let Some(bench) = Bench::new(&[]) else { return };
    let base = bench.mount_point();
    // Overlays want layers on a file system that they know; a memory file system serves everywhere.
    run("mount", &["-t", "tmpfs", "tmpfs", base.to_str().unwrap()]);
    let _base = crate::loop_bench::unmount_at_end(&base);
    let [lower, upper, work, merged] = ["lower", "upper", "work", "merged"].map(|name| {
        fs::create_dir(base.join(name)).unwrap();
        base.join(name)
    });
    for name in ["above", "below"] {
        fs::write(upper.join(name), vec![0; 4 << 20]).unwrap();
    }
    let Some(_merged) = overlay([&lower, &upper, &work], &merged) else { return };
    let _above = Loop::attach(&merged.join("above"), &[]);
    check_shown(&upper.join("above"));
    let _below = Loop::attach(&upper.join("below"), &[]);
    check_shown(&merged.join("below"));
}

#[test]
fn a_second_loop_device_on_one_file_under_another_name_is_refused() {
    let Some(bench) = Bench::new(&[]) else { return };
    let image = bench.image("shared", 16);
    let second = image.with_file_name("second");
    fs::hard_link(&image, &second).unwrap();
    let first = Loop::attach(&image, &[]);
    let _other = Loop::attach(&second, &[]);
    fs::remove_file(&image).unwrap();
    let judgement = crate::judge_named(&first.node, &[""]);
    let found = crate::refusals(&judgement);
    assert!(found.iter().any(|reason| matches!(reason, Reason::LoopBacking { .. })), "{found:?}");
}
