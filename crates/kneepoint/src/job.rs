//! Jobs of other tools as work: found, told of, and measured as their files say.

use std::path::{Path, PathBuf};

use kneepoint_core::plan::resolve::Wishes;
use kneepoint_core::words::fault::Fault;
use kneepoint_core::words::printable::printable;
use kneepoint_formats::job::{
    Conduct, Job, JobFormat, JobText, Surroundings, ToldBy, decoded, read,
};

use crate::output::print::tell;
use crate::work::{TEXT_MAX, read_bytes};

/// The job of another tool in a file; `None` if it is something else, or cannot be read, which is told where
/// a suite is looked for.
///
/// # Errors
/// When it is a job that cannot be converted.
pub(crate) fn found(path: &Path) -> Result<Option<Job>, Fault> {
    let is_own = path.extension().is_some_and(|ending| ending == "toml");
    if is_own {
        return Ok(None);
    }
    let name = path.to_string_lossy();
    let unread = |error| {
        Fault::new(format!("cannot read {name}")).because(error).fix("name a file that exists")
    };
    let bytes = read_bytes(path, TEXT_MAX).map_err(unread);
    let text = match bytes.and_then(|bytes| decoded(&name, bytes)) {
        Ok(text) => text,
        Err(fault) if JobFormat::of_ending(&name).is_some() => return Err(fault),
        Err(_) => return Ok(None),
    };
    let Some(told) = JobFormat::told(&name, &text) else { return Ok(None) };
    let around = Around(path.parent().map(Path::to_owned).unwrap_or_default());
    read(told, JobText { file: &name, text: &text }, &around).map(Some)
}

/// Says as what a file was read, and what is not the same here.
pub(crate) fn tell_of(name: &str, job: &Job) {
    let name = printable(name);
    let told = match job.told {
        ToldBy::Content => "content",
        ToldBy::Ending => "name",
    };
    let options = job.conduct.options();
    let measured = match options.is_empty() {
        true => String::new(),
        false => format!(" that is measured with {options}"),
    };
    tell(format!("{name}: by its {told} it is {}{measured}", job.format.label()));
    for difference in &job.differences {
        tell(format!("note: {}", printable(&difference.to_string())));
    }
}

/// `wishes`, and how a file says that it is measured for what they leave open. Simulated targets have
/// neither threads nor an engine.
pub(crate) fn as_its_file_says(wishes: &Wishes, (said, is_real): (Conduct, bool)) -> Wishes {
    let mut wishes = wishes.clone();
    let is_timed = wishes.time.is_some()
        || wishes.accuracy.is_some()
        || wishes.min_time.is_some()
        || wishes.max_time.is_some()
        || wishes.steady_state.is_some()
        || wishes.extent == kneepoint_core::plan::resolve::Extent::Quick;
    if !is_timed {
        wishes.time = said.time;
        wishes.ramp = wishes.ramp.or(said.ramp);
    }
    if is_real {
        wishes.workers = wishes.workers.or(said.workers);
        wishes.engine = wishes.engine.or(said.engine);
        wishes.caching = said.caching.unwrap_or(wishes.caching);
        wishes.memory_pages = said.memory_pages.unwrap_or(wishes.memory_pages);
    }
    wishes.arrivals = said.arrivals.unwrap_or(wishes.arrivals);
    wishes
}

/// The folder of a job, and the environment.
struct Around(PathBuf);

impl Surroundings for Around {
    fn included(&self, name: &str) -> Result<String, String> {
        let path = self.0.join(name);
        // A pipe or a terminal would be waited for.
        if path.exists() && !path.is_file() {
            return Err("it is no regular file".to_owned());
        }
        let bytes = read_bytes(&path, TEXT_MAX).map_err(|error| error.to_string())?;
        let reason = |fault: Fault| fault.why().unwrap_or(fault.what()).to_owned();
        decoded(name, bytes).map_err(reason)
    }

    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok()
    }
}

#[cfg(test)]
mod tests {
    use kneepoint_core::plan::{Arrivals, Caching, Engine, MemoryPages};
    use kneepoint_core::words::units::Nanos;

    use super::*;

    #[test]
    fn what_is_typed_comes_before_what_the_file_says() {
        let said = Conduct {
            time: Some(Nanos::from_secs(60)),
            ramp: Some(Nanos::from_secs(5)),
            workers: Some(4),
            engine: Some(Engine::Libaio),
            caching: Some(Caching::Buffered),
            memory_pages: Some(MemoryPages::Huge),
            arrivals: Some(Arrivals::Constant),
        };
        let nothing = Wishes::default();
        let all = as_its_file_says(&nothing, (said, true));
        assert_eq!((all.time, all.ramp, all.workers), (said.time, said.ramp, said.workers));
        assert_eq!((all.engine, all.caching), (said.engine, Caching::Buffered));
        assert_eq!(all.memory_pages, MemoryPages::Huge);
        let simulated = as_its_file_says(&nothing, (said, false));
        assert_eq!(simulated.memory_pages, MemoryPages::Small);
        assert_eq!((simulated.time, simulated.workers, simulated.engine), (said.time, None, None));
        let typed = Wishes { time: Some(Nanos::from_secs(1)), workers: Some(1), ..nothing.clone() };
        let kept = as_its_file_says(&typed, (said, true));
        assert_eq!((kept.time, kept.ramp, kept.workers), (typed.time, None, Some(1)));
        assert_eq!(as_its_file_says(&nothing, (Conduct::default(), true)).caching, Caching::Direct);
    }
}
