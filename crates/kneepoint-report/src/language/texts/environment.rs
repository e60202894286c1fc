//! The environment of the run.

use kneepoint_core::words::storage_class::StorageClass;

use crate::language::Language::{self, English, German};

texts! {
    heading: "Test environment" | "Testumgebung";
    nothing: "Nothing was recorded." | "Nichts wurde aufgezeichnet.";
    /// In place of the machine that simulated.
    virtual_time:
        "A simulation runs in virtual time and gives the same numbers on every machine, so the parts of this \
         one are left out."
        | "Eine Simulation läuft in virtueller Zeit und ergibt auf jedem Rechner dieselben Zahlen; die Teile \
           dieses Rechners fehlen deshalb.";
    host: "Host" | "Rechner";
    processor: "Processor" | "Prozessor";
    engine: "Engine" | "I/O-Schnittstelle";
    clock: "Clock against the controller's" | "Uhr gegen die der Steuerung";
    clock_offset(offset: &str, bound: &str): "{offset} ahead, known to ±{bound}"
        | "{offset} voraus, auf ±{bound} bekannt";
    kernel: "Kernel" | "Kernel";
    memory: "Memory" | "Arbeitsspeicher";
    kind: "Kind" | "Art";
    file: "file" | "Datei";
    block_device: "block device" | "Blockgerät";
    simulated_server: "simulated server" | "simulierter Server";
    simulated_system: "simulated storage system" | "simuliertes Speichersystem";
    null_target: "null target" | "Nullziel";
    warehouses: "warehouses in the memory of this machine" | "Lagerhäuser im Speicher dieser Maschine";
    warehouses_in(server: &str): "warehouses in {server}" | "Lagerhäuser in {server}";
    processors: "the processors of this machine" | "die Prozessoren dieser Maschine";
    desktop_server: "the screens of a desktop server" | "die Bildschirme eines Desktop-Servers";
    directory: "a directory, in which files are made and removed" | "ein Verzeichnis, in dem Dateien angelegt und entfernt werden";
    size_in_bytes(rounded: &str, bytes: &str): "{rounded} ({bytes} bytes)" | "{rounded} ({bytes} Bytes)";
    size: "Size used" | "Benutzte Größe";
    file_system: "File system" | "Dateisystem";
    device: "Device" | "Gerät";
    settings: "Settings" | "Einstellungen";
    /// Heads the settings that a profile has in place of those above.
    own_settings(profile: &str):
        "Settings for {profile} instead" | "Einstellungen für {profile} stattdessen";
    /// A free parameter of a model, by its name.
    model_parameter(name: &str): "Model parameter {name}" | "Modellparameter {name}";
    /// In place of the value of a setting that the run varied.
    varied(levels: &str): "varied: {levels}" | "variiert: {levels}";
}

pub(crate) fn class_name(language: Language, class: StorageClass) -> &'static str {
    match language {
        English => class.name(),
        German => match class {
            StorageClass::Rotational => "rotierend",
            StorageClass::Flash => "Flash",
        },
    }
}

/// Why a target is of its class, if this language has its own words for it.
pub(crate) fn class_reason(language: Language, english: &str) -> Option<String> {
    match language {
        English => None,
        German => {
            let clauses: Option<Vec<String>> = english.split("; ").map(clause).collect();
            Some(clauses?.join("; "))
        }
    }
}

/// Name of a fact, where this language has one.
pub(crate) fn key(language: Language, key: &str) -> Option<&'static str> {
    let names = language.choose([ENGLISH, GERMAN]);
    names.iter().find(|(known, _)| *known == key).map(|(_, name)| *name)
}

/// Value of a fact, where this language has a word for it.
pub(crate) fn value(language: Language, english: &str) -> Option<&'static str> {
    match language {
        English => match english {
            "notsupported" => Some("not supported"),
            _ => name(english),
        },
        German => match english {
            "yes" => Some("ja"),
            "no" => Some("nein"),
            "none" => Some("keine"),
            "on" => Some("an"),
            "off" => Some("aus"),
            "write back" => Some("Write-Back"),
            "write through" => Some("Write-Through"),
            "adaptive" => Some("adaptiv"),
            "mirrored" => Some("gespiegelt"),
            "optimal" => Some("in Ordnung"),
            "degraded" => Some("eingeschränkt"),
            "rebuilding" => Some("im Wiederaufbau"),
            "direct" => Some("direkt"),
            "cached" => Some("gepuffert"),
            "unknown" => Some("unbekannt"),
            "unknown hypervisor" => Some("unbekannter Hypervisor"),
            "disk" => Some("Platte"),
            "partition" => Some("Partition"),
            "loop device" => Some("Loop-Gerät"),
            "zram device" => Some("zram-Gerät"),
            "md array" => Some("md-Verbund"),
            "dm device" => Some("dm-Gerät"),
            "notsupported" => Some("nicht unterstützt"),
            _ => name(english),
        },
    }
}

/// What is written alike in all languages.
fn name(recorded: &str) -> Option<&'static str> {
    match recorded {
        "jbod" => Some("JBOD"),
        "windows" => Some("Windows"),
        "linux" => Some("Linux"),
        _ => None,
    }
}

/// One reason.
fn clause(english: &str) -> Option<String> {
    let (assumed, english) = match english.strip_prefix("assumed: ") {
        Some(rest) => ("angenommen: ", rest),
        None => ("", english),
    };
    CLAUSES.iter().find_map(|(ending, german)| {
        let name = english.strip_suffix(ending)?;
        // A reason without a name is the whole clause.
        (name.is_empty() != ending.starts_with(' ')).then(|| format!("{assumed}{name}{german}"))
    })
}

/// Ends of the reasons, behind a name if they begin with a blank.
const CLAUSES: &[(&str, &str)] = &[
    (" is rotational", " rotiert"),
    (" is not rotational", " rotiert nicht"),
    (" does not say whether it rotates", " sagt nicht, ob es rotiert"),
    (
        " is a virtual disk, whose claim to rotate says nothing of what is below it",
        " ist eine virtuelle Platte; ob rotiert, was darunter liegt, sagt sie nicht verlässlich",
    ),
    (" shows no drive", " zeigt kein Laufwerk"),
    (" takes no time at all", " braucht gar keine Zeit"),
    ("no drive is known", "kein Laufwerk ist bekannt"),
    ("its file system is in memory", "sein Dateisystem liegt im Arbeitsspeicher"),
    ("a queue, judged like a disk", "eine Warteschlange, beurteilt wie eine Platte"),
    ("simulated disks", "simulierte Platten"),
    ("simulated flash", "simuliertes Flash"),
    ("together they are as slow as the disks", "zusammen sind sie so langsam wie die Platten"),
];

/// Names of facts that are more than the words of their keys.
const ENGLISH: &[(&str, &str)] = &[
    ("bios_version", "BIOS version"),
    ("cgroup.cpu_quota", "Quota of processor time"),
    ("cpus", "Processors"),
    ("dma_alignment", "DMA alignment mask"),
    ("dm_uuid", "Device-mapper UUID"),
    ("frequency", "Highest clock frequency"),
    ("hyper_threads", "Hyper-threads"),
    ("fua", "Forced unit access"),
    ("io_policy", "I/O policy"),
    ("io_poll", "Polling for I/O"),
    ("iostats", "I/O statistics"),
    ("logical_cpus", "Logical CPUs"),
    ("max_sectors_kb", "Largest I/O in KiB"),
    ("minimum_io_size", "Smallest preferred I/O in bytes"),
    ("nomerges", "Requests left unmerged"),
    ("nr_requests", "Requests in the queue"),
    ("numa_nodes", "NUMA nodes"),
    ("optimal_io_size", "Best I/O size in bytes"),
    ("raid", "RAID level"),
    ("raid_uuid", "RAID UUID"),
    ("read_ahead", "Read-ahead"),
    ("read_ahead_kb", "Read-ahead in KiB"),
    ("read_ahead_kib", "Read-ahead in KiB"),
    ("rq_affinity", "Completion on the submitting processor"),
    ("size_bytes", "Size in bytes"),
    ("smt", "SMT"),
    ("stable_writes", "Pages held while they are written"),
    ("stroke", "Disk stroke"),
    ("virt_boundary_mask", "Virtual boundary mask"),
    ("wbt_lat_usec", "Write throttling, target latency in µs"),
];

const GERMAN: &[(&str, &str)] = &[
    // Facts of the machine and of the load generator.
    ("bios_version", "BIOS-Version"),
    ("caching", "Zwischenspeicherung"),
    ("clock_source", "Taktquelle"),
    ("container", "Container"),
    ("cores", "Kerne"),
    ("hyper_threads", "Hyper-Threads"),
    ("processors", "Prozessoren"),
    ("energy_preference", "Energieeinstellung"),
    ("engine", "I/O-Schnittstelle"),
    ("frequency_driver", "Treiber der Taktfrequenz"),
    ("frequency_max_khz", "Höchste Taktfrequenz in kHz"),
    ("governor", "Taktregelung"),
    ("idle_driver", "Treiber der Schlafzustände"),
    ("isolated", "Isolierte Prozessoren"),
    ("logical_cpus", "Logische Prozessoren"),
    ("memory_pages", "Speicherseiten der Puffer"),
    ("microcode", "Mikrocode"),
    ("model", "Modell"),
    ("name", "Name"),
    ("numa_nodes", "NUMA-Knoten"),
    ("operating_system", "Betriebssystem"),
    ("product", "Produkt"),
    ("registered_buffers", "Angemeldete Puffer"),
    ("registered_files", "Angemeldete Dateien"),
    ("ring_setup", "Einrichtung des Rings"),
    ("smt", "Simultanes Multithreading"),
    ("sockets", "Sockel"),
    ("transparent_huge_pages", "Transparente große Seiten"),
    ("turbo", "Turbotakt"),
    ("vendor", "Hersteller"),
    ("virtualisation", "Virtualisierung"),
    ("virtualization", "Virtualisierung"),
    ("workers", "Threads"),
    // Facts of a device.
    ("backing_file", "Zugrunde liegende Datei"),
    ("backing_offset_bytes", "Beginn in der zugrunde liegenden Datei in Bytes"),
    ("capacity", "Kapazität"),
    ("class", "Geräteklasse"),
    ("disk", "Platte"),
    ("dm_name", "Name im Device-Mapper"),
    ("dm_uuid", "UUID im Device-Mapper"),
    ("firmware", "Firmware"),
    ("holders", "Benutzt von"),
    ("logical_block_bytes", "Logischer Block in Bytes"),
    ("members", "Mitglieder"),
    ("number", "Gerätenummer"),
    ("partition_index", "Nummer der Partition"),
    ("partition_start_bytes", "Beginn der Partition in Bytes"),
    ("partition_uuid", "UUID der Partition"),
    ("partitions", "Partitionen"),
    ("physical_block_bytes", "Physischer Block in Bytes"),
    ("raid_chunk_bytes", "RAID-Streifen in Bytes"),
    ("raid_degraded", "Fehlende RAID-Mitglieder"),
    ("raid_level", "RAID-Stufe"),
    ("raid_members", "RAID-Mitglieder"),
    ("raid_metadata", "RAID-Metadaten"),
    ("raid_state", "RAID-Zustand"),
    ("raid_sync", "RAID-Abgleich"),
    ("raid_uuid", "UUID des RAID-Verbunds"),
    ("read_only", "Nur lesbar"),
    ("removable", "Wechselmedium"),
    ("rotational", "Drehende Scheiben"),
    ("serial", "Seriennummer"),
    ("size_bytes", "Größe in Bytes"),
    ("transport", "Anschluss"),
    ("wwid", "Weltweiter Name"),
    ("zoned", "Zonen"),
    // Programs of the processor suite.
    ("base flags", "Basiseinstellungen"),
    ("base compiler", "Compiler der Basiseinstellungen"),
    ("base code for", "Code der Basiseinstellungen für"),
    ("base program SHA-256", "SHA-256 der Programme mit Basiseinstellungen"),
    ("peak flags", "Spitzeneinstellungen"),
    ("peak compiler", "Compiler der Spitzeneinstellungen"),
    ("peak code for", "Code der Spitzeneinstellungen für"),
    ("peak program SHA-256", "SHA-256 der Programme mit Spitzeneinstellungen"),
    // Settings that can be changed.
    ("dma_alignment", "Maske der DMA-Ausrichtung"),
    ("fua", "Schreiben bis auf das Medium (FUA)"),
    ("io_poll", "I/O durch Abfragen"),
    ("iostats", "I/O-Zähler"),
    ("minimum_io_size", "Kleinstes bevorzugtes I/O in Bytes"),
    ("nomerges", "Anfragen ohne Zusammenfassen"),
    ("optimal_io_size", "Beste I/O-Größe in Bytes"),
    ("stable_writes", "Seiten beim Schreiben festgehalten"),
    ("virt_boundary_mask", "Maske virtueller Grenzen"),
    ("max_sectors_kb", "Größtes I/O in KiB"),
    ("nr_requests", "Anfragen in der Warteschlange"),
    ("queue_depth", "Tiefe der Gerätewarteschlange"),
    ("read_ahead_kb", "Vorauslesen in KiB"),
    ("read_ahead_kib", "Vorauslesen in KiB"),
    ("rq_affinity", "Fertigmeldung auf dem absendenden Prozessor"),
    ("file_system", "Dateisystem"),
    ("scheduler", "I/O-Scheduler"),
    ("wbt_lat_usec", "Drosselung des Schreibens, Ziellatenz in µs"),
    ("kernel_flushes", "Leeren des Schreibcaches durch den Kernel"),
    ("write_cache", "Schreibcache"),
    // What the runs of a comparison were measured on.
    ("target", "Ziel"),
    // Settings of simulated systems.
    ("cgroup.cpu_quota", "Kontingent an Prozessorzeit"),
    ("condition", "Zustand"),
    ("cpus", "Prozessoren"),
    ("disk_cache", "Cache der Laufwerke"),
    ("drives", "Laufwerke"),
    ("drives_per_array", "Laufwerke je Array"),
    ("flash_state", "Zustand des Flash-Speichers"),
    ("frequency", "Höchster Takt"),
    ("host", "Betriebssystem des Rechners"),
    ("io_policy", "I/O-Verfahren"),
    ("raid", "RAID-Stufe"),
    ("read_ahead", "Vorauslesen"),
    ("size", "Größe"),
    ("stripe", "Streifengröße"),
    ("stroke", "Genutzter Bereich der Laufwerke"),
];
