//! Independent tasks on all cores, with a bar and the time that is left.

use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use indicatif::ProgressBar;

use crate::output::print::tell;
use crate::output::progress;

/// Who works on tasks, and what the bar says.
#[derive(Debug, Clone)]
pub(crate) struct Workers {
    /// Number of threads.
    pub(crate) threads: usize,
    /// The work, for the bar: `simulating`.
    pub(crate) what: String,
}

impl Workers {
    /// This many threads, or as many as there are CPUs to run on.
    pub(crate) fn new(threads: Option<u32>, what: &str) -> Self {
        let cpus = || thread::available_parallelism().map_or(1, usize::from);
        let threads = threads.map_or_else(cpus, |threads| threads as usize);
        Self { threads, what: what.to_owned() }
    }
}

/// Runs `work` on every task and returns the results in the order of the tasks.
///
/// Which thread takes which task is left to chance; a result depends on its task alone. The calling
/// thread works, and others as far as they can be started.
pub(crate) fn in_parallel<T: Sync, R: Send>(
    workers: &Workers,
    tasks: &[T],
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let bar = bar(workers, tasks.len());
    let threads = workers.threads.clamp(1, tasks.len().max(1));
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<R>>> = Mutex::new(tasks.iter().map(|_| None).collect());
    thread::scope(|scope| {
        let work_on = || {
            while let Some((index, task)) = take(&next, tasks) {
                let result = work(task);
                results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(result);
                bar.inc(1);
            }
        };
        let start = |_: &usize| thread::Builder::new().spawn_scoped(scope, work_on).is_ok();
        let others = (1..threads).take_while(start).count();
        tell_size(workers, (tasks.len(), others + 1));
        work_on();
    });
    bar.finish_and_clear();
    let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().map(|result| result.expect("every task was taken")).collect()
}

/// The next task that no one has taken.
fn take<'a, T>(next: &AtomicUsize, tasks: &'a [T]) -> Option<(usize, &'a T)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    Some((index, tasks.get(index)?))
}

/// Says how much there is to do, if there is no bar for it.
fn tell_size(workers: &Workers, (tasks, threads): (usize, usize)) {
    if workers.what.is_empty() || stderr().is_terminal() {
        return;
    }
    tell(match threads {
        1 => format!("{}: {tasks} on 1 thread", workers.what),
        _ => format!("{}: {tasks} on {threads} threads", workers.what),
    });
}

fn bar(workers: &Workers, count: usize) -> ProgressBar {
    if workers.what.is_empty() {
        return ProgressBar::hidden();
    }
    let bar = progress::bar(count as u64, "{msg}  {bar:40.cyan/blue} {pos}/{len}  {eta} left");
    bar.set_message(workers.what.clone());
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_tasks_however_many_threads_there_are() {
        let tasks: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = tasks.iter().map(|task| task * task).collect();
        for threads in [1, 2, 7] {
            let workers = Workers::new(Some(threads), "");
            assert_eq!(in_parallel(&workers, &tasks, |task| task * task), squares);
        }
        let none: Vec<u64> = in_parallel(&Workers::new(None, ""), &[], |task: &u64| *task);
        assert_eq!(none, [0; 0]);
    }
}
