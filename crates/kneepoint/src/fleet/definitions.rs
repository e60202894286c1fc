//! The settings that a host lets a controller vary by commands: from the host's own file alone. What a
//! controller says is the name of one, and its level.

use std::path::Path;

use kneepoint_core::plan::{Plan, TargetKind};
use kneepoint_core::spec::factor::{Factor, definitions};
use kneepoint_core::words::fault::Fault;
use kneepoint_device::settings::is_known;

use crate::work::{TEXT_MAX, read_text};

/// Settings with the commands that set, check and restore them. By default there are none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Definitions(Vec<Factor>);

impl Definitions {
    /// Those in the file at `path`.
    ///
    /// # Errors
    /// When it cannot be read, or defines something wrongly.
    pub(crate) fn load(path: &Path) -> Result<Self, Fault> {
        let shown = path.to_string_lossy();
        let text = read_text(path, TEXT_MAX).map_err(|error| {
            Fault::new(format!("cannot read {shown}"))
                .because(error)
                .fix("name the file with the [[factor]]s that this host sets by commands")
        })?;
        definitions(&text, &shown).map(Self)
    }

    /// The settings.
    pub(crate) fn factors(&self) -> &[Factor] {
        &self.0
    }

    /// `plan` with the commands of this host for what it varies. Those that Kneepoint sets itself, and the
    /// parameters of simulated systems, need none.
    ///
    /// # Errors
    /// When the plan has commands, or varies what is not defined here, or not at this level.
    pub(crate) fn fill(&self, mut plan: Plan) -> Result<Plan, Fault> {
        if plan.has_commands() {
            return Err(Fault::new("a plan with commands is not taken")
                .because("an agent runs commands from its host's own file alone")
                .fix("define them there: kneepoint agent --definitions FILE.toml"));
        }
        let is_simulated = plan.targets.iter().all(|target| target.kind == TargetKind::Sim);
        let factors = plan.factors.iter_mut().flat_map(|factors| &mut factors.factors);
        for factor in factors.filter(|factor| !is_simulated && !is_known(&factor.name)) {
            self.define(factor)?;
        }
        Ok(plan)
    }

    fn define(&self, factor: &mut Factor) -> Result<(), Fault> {
        let name = &factor.name;
        let Some(own) = self.0.iter().find(|own| own.name == *name) else {
            return Err(Fault::new(format!("this host has no definition of the factor '{name}'"))
                .because("Kneepoint does not know the setting, and no command comes from elsewhere")
                .fix(format!(
                    "define '{name}' in a file of the host: kneepoint agent --definitions FILE.toml"
                )));
        };
        if let Some(level) = factor.levels.iter().find(|level| !own.levels.contains(level)) {
            return Err(Fault::new(format!("this host does not set '{name}' to '{level}'"))
                .because(format!("its own definition has the levels {}", own.levels.join(", ")))
                .fix("vary it among these, or add the level to the definition there"));
        }
        factor.commands.clone_from(&own.commands);
        factor.settle = factor.settle.max(own.settle);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: &str = "[[factor]]\nname = \"mode\"\nlevels = [\"a\", \"b\"]\nsettle = \"1s\"\n\
                       set = [\"set\", \"{level}\"]\ncheck = [\"check\"]\nrestore = [\"back\"]\n";

    fn own() -> Definitions {
        Definitions(definitions(OWN, "own.toml").unwrap())
    }

    fn factor(text: &str) -> Factor {
        text.parse().unwrap()
    }

    #[test]
    fn a_setting_gets_the_commands_of_its_host() {
        let mut mode = factor("mode=b");
        own().define(&mut mode).unwrap();
        assert_eq!(mode.commands, own().0[0].commands);
        assert_eq!(mode.levels, ["b"], "no more than what is asked for");
        assert_eq!(mode.settle, own().0[0].settle);
    }

    #[test]
    fn what_is_not_defined_here_is_refused() {
        let refused = |text: &str, own: &Definitions| {
            own.define(&mut factor(text)).unwrap_err().what().to_owned()
        };
        assert!(refused("mode=a", &Definitions::default()).contains("has no definition of"));
        assert!(refused("other=a", &own()).contains("has no definition of the factor 'other'"));
        assert!(refused("mode=a,c", &own()).contains("does not set 'mode' to 'c'"));
    }

    #[test]
    fn a_definition_has_commands() {
        let plain = "[[factor]]\nname = \"mode\"\nlevels = [\"a\"]\n";
        assert!(definitions(plain, "own.toml").unwrap_err().to_string().contains("no commands"));
        assert!(definitions("title = \"x\"\n", "own.toml").is_err());
    }
}
