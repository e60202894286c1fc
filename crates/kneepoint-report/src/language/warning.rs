//! Warnings: in English as core writes them, in German here.

use kneepoint_core::result::Warning;
use kneepoint_core::result::warning::{
    DataFault, ExpectedSetting, FoundSetting, LineAccess, Metered, Moved, PhaseEnding,
    PreconditionPhase, Rounds, SequentialLine, SettingChange, Spread, StallEnding, Uncounted,
    Unseen, UnsteadyRounds, WriteOrder, WrongPlace,
};
use kneepoint_core::words::load::LoadLevel;
use kneepoint_core::words::number::Difference;

use super::Language::{self, English, German};
use super::texts::common::{self, counted};
use super::texts::imported;
use crate::page::Text;

/// The text of a warning: its name, what was seen, and what to do about it.
pub(crate) fn warning(language: Language, warning: &Warning) -> Text {
    match language {
        English => warning.text().into(),
        German => german(warning),
    }
}

/// The German text of a warning. `Warning::Kind { values }, written = as_text(value) => "Name of
/// the warning": "What was seen, and what to do about it.";` gives both as a text; the second
/// block has those that are not a name and words.
macro_rules! german {
    (
        {$($pattern:pat $(, $written:ident = $text:expr)* => $title:literal: $words:literal;)+}
        {$($other:pat => $other_text:expr;)+}
    ) => {
        fn german(warning: &Warning) -> Text {
            match warning {
                $($pattern => {
                    $(let $written = $text;)*
                    named($title, &format!($words))
                })+
                $($other => $other_text,)+
            }
        }
    };
}

/// Where data is wrong, and how.
fn wrong_place(place: &WrongPlace) -> String {
    let fault = match place.fault {
        DataFault::BitFlip => "gekippte Bits",
        DataFault::LostWrite => "ein verlorener Schreibzugriff",
        DataFault::TornWrite => "ein nur teilweise ausgeführter Schreibzugriff",
        DataFault::MisdirectedWrite => "ein fehlgeleiteter Schreibzugriff",
        DataFault::StaleData => "veraltete Daten",
        DataFault::DuplicatedWrite => "ein doppelt ausgeführter Schreibzugriff",
        DataFault::ForeignData => "fremde Daten",
    };
    let WrongPlace { target, offset_bytes, bytes, .. } = place;
    format!("{fault} ab Byte {offset_bytes} von {target} ({bytes} Byte)")
}

/// A name, a colon, and what follows.
fn named(name: &str, text: &str) -> Text {
    Text::new().strong(name).plain(format!(": {text}"))
}

/// Memory that sessions or the machine of a server take.
fn memory_taken((of, users): (Metered, u64), (bytes, machine): (u64, Option<u64>)) -> String {
    let (with, users, bytes) = (with_users(users), German.count_u64(users), German.bytes(bytes));
    let once = "Gemeinsames einmal gezählt";
    match of {
        Metered::OwnSessions => {
            format!("Die Prozesse der Sitzungen ({users}) belegen {bytes}, {once}")
        }
        Metered::Sessions => {
            format!("{with} belegen die Prozesse aller Sitzungen dort {bytes}, {once}")
        }
        Metered::Accounts => {
            format!("Die Prozesse der Benutzerkonten ({users}) belegen {bytes}, {once}")
        }
        Metered::Machine => {
            let all = machine.map_or_else(String::new, |all| format!(" von {}", German.bytes(all)));
            format!("{with} sind dort {bytes}{all} belegt, von allem, was auf der Maschine läuft")
        }
    }
}

/// `Mit 10 Benutzern`.
fn with_users(users: u64) -> String {
    let noun = if users == 1 { "Benutzer" } else { "Benutzern" };
    format!("Mit {} {noun}", German.count_u64(users))
}

/// Who uses processors, with the verb.
fn processor_users(of: Metered, users: u64) -> String {
    let (with, users) = (with_users(users), German.count_u64(users));
    match of {
        Metered::OwnSessions => format!("Die Sitzungen ({users}) nutzen"),
        Metered::Sessions => format!("{with} nutzen alle Sitzungen dort"),
        Metered::Accounts => format!("Die Benutzerkonten ({users}) nutzen"),
        Metered::Machine => format!("{with} nutzt alles, was auf der Maschine läuft,"),
    }
}

/// A share without decimals.
fn percent(value: f64) -> String {
    German.percent(value.round())
}

/// A share with one decimal.
fn tenths(percent: f64) -> String {
    German.written(&format!("{percent:.1}%"))
}

/// Seconds with one decimal.
fn seconds(seconds: f64) -> String {
    German.written(&format!("{seconds:.1} s"))
}

fn at_load(load: &LoadLevel) -> String {
    common::at_load(German, load.value, load.unit)
}

german! {{
    Warning::WriteCacheOn { device } => "Schreibcache an":
        "{device} kann Schreiben aus flüchtigem Speicher bestätigen; um ohne ihn zu messen, die \
         Einstellung des Laufwerks selbst ändern (hdparm -W0 für ATA, sdparm --clear=WCE für SCSI \
         und SAS, nvme set-feature -f 6 -v 0 für NVMe) und erneut messen; die Datei \
         queue/write_cache des Kernels lässt den Cache des Laufwerks an und hält den Kernel nur \
         davon ab, ihn zu leeren, was bei einem Stromausfall Daten kostet";
    Warning::IoScheduler { device, disk, scheduler } => "I/O-Scheduler":
        "{scheduler} ordnet die I/Os von {device}, was auf einem Gerät ohne bewegliche Teile Zeit \
         und Durchsatz kostet; um das Gerät allein zu messen, „none“ nach \
         /sys/class/block/{disk}/queue/scheduler schreiben";
    Warning::SmallWorkingSet { target, used_bytes, device_bytes },
        used = German.bytes(*used_bytes),
        device = German.bytes(*device_bytes) => "kleine Arbeitsmenge":
        "Von {target} werden {used} benutzt, das Gerät hat {device}; ein Cache zwischen hier und \
         dem Medium kann alles fassen; für Zahlen des Mediums eine größere --size wählen";
    Warning::FrequencyScaling { governor } => "wechselnde Taktfrequenz":
        "Der Governor der Prozessoren ist {governor}; bei kleiner Last können sie langsam laufen, \
         und die Antwortzeiten sind länger als nötig; auf performance stellen (cpupower \
         frequency-set -g performance)";
    Warning::IoLimited { limit, device, file },
        limit = Warning::limit_with_unit(limit, file).replace("bytes/s", "Bytes/s")
        => "I/O begrenzt":
        "Die Kontrollgruppe dieses Prozesses begrenzt {device} auf {limit} ({file}): Die Zahlen \
         zeigen diese Grenze, nicht das Gerät; die Grenze aufheben oder aus einer anderen Kontrollgruppe messen";
    Warning::InUse { device } => "Gerät in Benutzung":
        "Etwas anderes benutzt {device}; dessen Last ist in der Messung";
    Warning::NeverWritten { path, offset_bytes },
        offset = German.count_u64(*offset_bytes) => "nie geschrieben":
        "{path} hat ab Byte {offset} keine Daten; Lesen braucht dort kein I/O des Geräts, also sind \
         die Zahlen zu gut; eine Datei messen, die Kneepoint angelegt hat";
    Warning::TransactionsRetried { retries, transactions },
        percent = German.percent(100.0 * *retries as f64 / (*transactions).max(1) as f64),
        retries = German.count_u64(*retries),
        transactions = German.count_u64(*transactions) => "neu begonnen":
        "Von {transactions} Transaktionen mussten {retries} ({percent}) neu beginnen, weil andere \
         dieselben Zeilen geändert hatten; die Antwortzeit läuft dabei weiter";
    Warning::ResponsesMissing { lost, mismatched },
        lost = German.count_u64(*lost),
        mismatched = German.count_u64(*mismatched) => "Antworten fehlen":
        "{lost} Antworten erschienen nicht rechtzeitig auf dem Bildschirm, und anstelle von \
         {mismatched} weiteren etwas anderes; sie zählen mit der Zeit, die auf sie gewartet wurde";
    Warning::SessionMemory { sessions, bytes, fit, of, machine_bytes },
        taken = memory_taken((*of, *sessions), (*bytes, *machine_bytes)),
        each_of = if of.is_own() { "Sitzungen" } else { "Benutzer" },
        fit = fit.map_or_else(String::new, |fit| {
            let (base, each) = fit.mib();
            let base = German.written(&format!("{base:.0}"));
            let each = German.written(&format!("{each:.1}"));
            let error = German.percent(fit.error_percent);
            format!("; soweit gemessen sind das {base} MiB + {each} MiB x {each_of}, auf {error} genau")
        }) => "Arbeitsspeicher":
        "{taken}{fit}";
    Warning::SessionProcessor { sessions, used, available, stalled_percent, of },
        who = processor_users(*of, *sessions),
        used = German.written(&format!("{used:.2}")),
        available = German.written(&available.to_string()),
        stalled = stalled_percent.map_or_else(String::new, |percent| {
            let percent = German.percent(percent.round());
            format!("; in {percent} der Zeit wartete ein Prozess auf einen")
        }) => "Prozessoren":
        "{who} {used} von {available} Prozessoren{stalled}";
    Warning::ServerNetwork { users, received_per_s, sent_per_s, interfaces },
        with = with_users(*users),
        received = German.bytes(*received_per_s as u64),
        sent = German.bytes(*sent_per_s as u64) => "Netzwerk":
        "{with} empfängt die Maschine {received}/s und sendet {sent}/s, aller Verkehr von \
         {interfaces} mitgezählt";
    Warning::ServerNotMetered { reason } => "Server nicht gemessen":
        "{reason}; dieser Messpunkt hat keine Zahlen zu Prozessoren, Arbeitsspeicher und Netzwerk \
         des Servers";
    Warning::BesideFailed { series } => "Nachbar gescheitert":
        "{series}, im selben Augenblick gemessen, ist gescheitert";
    Warning::NothingCompleted => "nichts fertig geworden":
        "In der Messzeit endete kein einziges I/O; mit --time länger messen";
    Warning::Overloaded { offered_rate, delivered_rate },
        offered = German.iops(*offered_rate),
        delivered = German.iops(*delivered_rate) => "überlastet":
        "{offered} wurden angeboten und {delivered} geleistet, also wachsen die Antwortzeiten mit \
         der Messzeit; weniger anbieten";
    Warning::QueueNotFull { achieved, requested },
        why = match achieved < requested {
            true => "der Lastgenerator braucht mehr Prozessorzeit (--workers), oder einzelne",
            false => "einzelne",
        },
        achieved = German.rate(*achieved),
        requested = German.level(*requested) => "Warteschlange anders als verlangt":
        "Je Ziel wurden {achieved} ausstehende I/Os erreicht, wo {requested} verlangt waren; {why} I/Os \
         nahmen einen großen Teil der Messzeit ein (länger messen)";
    Warning::ZerosRead { zeros, reads } => "Nullen gelesen":
        "{zeros} der letzten {reads} Lesezugriffe brachten nur Nullen; was nur dünn oder lückenhaft \
         belegt oder getrimmt ist, wird ohne das Medium beantwortet, also sind dies nicht dessen \
         Zahlen: das Ziel zuerst ganz beschreiben oder eine Datei messen, die Kneepoint anlegt";
    Warning::WrongData { places, more },
        places = places.iter().map(wrong_place).collect::<Vec<_>>().join(", "),
        more = if *more > 0 { format!(" und {more} weitere") } else { String::new() } => "falsche Daten":
        "Lesezugriffe brachten nicht, was geschrieben worden war: {places}{more}; mit `kneepoint verify` \
         nach allen Stellen suchen und Gerät und Kabel prüfen, bevor ihm irgendetwas anvertraut wird";
    Warning::Uncalibrated { system } => "nicht kalibriert":
        "sim:{system} wurde nie an Messungen angepasst; die Parameter stammen aus Datenblättern und \
         von ähnlichen Teilen";
    Warning::ReadsBelowWrites { reads, writes, times },
        times = German.rate(*times) => "unplausibel":
        "{writes} schreibt {times}-mal so schnell, wie {reads} liest; das kommt bei Speichersystemen \
         kaum vor: Vorauslesen, Caches und bei einer Simulation das Modell prüfen, bevor man sich auf \
         eines davon verlässt";
    Warning::SequentialBelowRandom { sequential, random, times },
        times = German.rate(*times) => "unplausibel":
        "Der wahlfreie Zugriff von {random} bewegt {times}-mal so viele Daten wie der sequenzielle \
         von {sequential}; das kommt bei Speichersystemen kaum vor: Vorauslesen, Caches und bei einer \
         Simulation das Modell prüfen, bevor man sich auf eines davon verlässt";
    Warning::ArrayBelowDrive { series, throughput_mib_s, drive_mib_s },
        throughput = German.mib_per_s(*throughput_mib_s),
        drive = German.mib_per_s(*drive_mib_s) => "unplausibel":
        "{series} liest mit {throughput} sequenziell von mehreren Laufwerken, wo das Medium eines \
         einzigen mindestens {drive} liefert; Vorauslesen und Modell prüfen, bevor man sich darauf \
         verlässt";
    Warning::ODirectNotHonoured(unseen),
        bytes = bytes_unseen(unseen),
        device = &unseen.device => "O_DIRECT nicht beachtet":
        "{bytes} haben {device} nie erreicht, und das Ziel liegt im Page-Cache, obwohl direktes I/O \
         verlangt war; dies sind Zahlen des Arbeitsspeichers: das Gerät selbst oder ein anderes \
         Dateisystem messen";
    Warning::PageCacheSuspected(unseen),
        bytes = bytes_unseen(unseen),
        device = &unseen.device => "Verdacht auf Page-Cache":
        "{bytes} haben {device} nie erreicht, obwohl direktes I/O verlangt war: Ein Cache des \
         Dateisystems hat geantwortet, oder Teile, die nie geschrieben wurden; das Gerät selbst \
         messen oder eine Datei, die Kneepoint auf einem anderen Dateisystem angelegt hat";
    Warning::PageCache(unseen),
        bytes = bytes_unseen(unseen),
        device = &unseen.device => "Page-Cache":
        "{bytes} haben {device} in der Messzeit nicht erreicht, sondern kamen aus dem \
         Arbeitsspeicher oder blieben dort, wie --buffered es erlaubt; um das Gerät zu messen, es \
         weglassen oder eine --size vom Mehrfachen des Arbeitsspeichers wählen";
    Warning::OtherDeviceLoad { device, disturbed_percent },
        share = percent(*disturbed_percent) => "fremde Last auf dem Gerät":
        "{share} des I/O auf {device} kam nicht von hier; beenden, was es sonst benutzt (iostat und \
         iotop zeigen es), und erneut messen";
    Warning::GeneratorBound { used_percent },
        used = percent(*used_percent) => "Lastgenerator am Ende":
        "Der Lastgenerator verbrauchte {used} seiner Prozessoren; die Zahl kann also seine eigene \
         sein und nicht die des Ziels; ihm mehr --workers geben oder größere Blöcke oder weniger \
         ausstehende I/Os messen";
    Warning::SubmittedLate { lag_mean_ms, lag_max_ms, disturbed_percent },
        mean = German.response_time(*lag_mean_ms),
        max = German.response_time(*lag_max_ms),
        share = percent(*disturbed_percent) => "verspätet abgeschickt":
        "I/Os wurden im Mittel {mean} nach ihrer Zeit abgeschickt, höchstens {max}; das sind \
         {share} der mittleren Antwortzeit; weniger --workers verwenden, als Prozessoren frei sind, \
         weniger anbieten oder auf einem ruhigeren Rechner messen";
    Warning::Stopped { paused_s }, paused = seconds(*paused_s) => "angehalten":
        "Der Lastgenerator lief {paused} lang nicht; I/Os, die in dieser Zeit fertig wurden, wurden \
         spät bemerkt; ein Signal, ein Debugger oder eine eingefrorene Kontrollgruppe hielt ihn an, \
         oder er hatte keinen Prozessor: erneut messen";
    Warning::SourceNotCached { cached_percent }, share = percent(*cached_percent) => "Page-Cache":
        "Nur {share} der Quelle blieben nach dem Lesen darin; die Kopien mit Page-Cache lasen also \
         auch vom Speicher; einen kleineren Dateisatz oder mehr Arbeitsspeicher verwenden";
    Warning::SourceCached { cached_percent }, share = percent(*cached_percent) => "Page-Cache":
        "{share} der Quelle blieben darin, obwohl er sie freigeben sollte (ein Dateisystem im \
         Arbeitsspeicher, oder jemand anderes liest die Dateien); die Kopien ohne Page-Cache lasen \
         also nicht vom Speicher";
    Warning::DirectIoRefused => "Page-Cache":
        "Das Dateisystem lehnte direktes I/O (O_DIRECT) ab; read-write ging also durch den \
         Page-Cache; die Quelle wurde daraus entfernt und jede Datei synchronisiert";
    Warning::HostLags { host, rate, median_rate, unit },
        rate = German.rate(*rate),
        median = German.rate(*median_rate),
        unit = unit.symbol() => "Nachzügler":
        "Jedes Ziel von {host} leistete im Mittel {rate} {unit}, die des mittleren Rechners \
         {median}; prüfen, ob sich seine Verbindung, sein Weg zum Speicher oder seine Prozessoren \
         von denen der anderen unterscheiden";
    Warning::HostLost { host, series, load }, load = at_load(load) => "Rechner verloren":
        "Die Verbindung zu {host} ging verloren, während {series} bei {load} gemessen wurde; als \
         {host} wieder da war, wurde der Punkt mit allen Rechnern noch einmal gemessen: Agent, Netz \
         und Last des Rechners prüfen";
    Warning::BeganLate { late_ms, interval_ms },
        late = German.response_time(*late_ms),
        interval = German.response_time(*interval_ms) => "verspätet begonnen":
        "Die Last begann {late} nach dem gemeinsamen Beginn, das ist mehr als ein Intervall von \
         {interval}; die Prozessoren des Rechners frei machen und noch einmal messen";
    Warning::ClockUncertain { bound_ms, interval_ms },
        bound = German.response_time(*bound_ms),
        interval = German.response_time(*interval_ms) => "ungenaue Uhr":
        "Die Uhr des Rechners ist nur auf {bound} genau bekannt, das ist mehr als ein Intervall von \
         {interval}; die Rechner wurden also vielleicht nicht zur selben Zeit gemessen; ein \
         schnelleres oder ruhigeres Netz zwischen Steuerung und Agenten verwenden und noch einmal \
         messen";
    Warning::SharedBlocks => "gemeinsame Blöcke":
        "Das Dateisystem hat die Daten nicht kopiert, sondern lässt beide Dateien darauf zeigen; \
         dies ist also keine Rate des Speichers";
    Warning::NotChecked { target, cause },
        why = match cause {
            Uncounted::NoDevice { file_system } => {
                format!("Unter ihm liegt kein gezähltes Gerät ({file_system})")
            }
            Uncounted::CountersOff => {
                "Die Zähler des Kernels für ein Gerät darunter sind aus (queue/iostats)".to_owned()
            }
        } => "nicht geprüft":
        "Nichts sagt, ob direktes I/O auf {target} ein Gerät erreicht hat oder ob etwas anderes \
         es benutzt hat. {why}; für geprüfte Zahlen das Gerät selbst messen oder eine Datei auf \
         einer lokalen Platte";
    Warning::MeasuredAgain(point),
        rate = German.throughput(point.rate, point.unit),
        load = at_load(&point.load),
        verdict = common::verdict_share(German, point.verdict, point.disturbed_percent),
        series = &point.series => "erneut gemessen":
        "{series} bei {load}; zuvor {rate}, {verdict}";
    Warning::Preconditioned(phase), text = phase_text(phase) => "vorbereitet": "{text}";
    Warning::UnsteadyPreconditioning(phase),
        text = phase_text(phase) => "Vorbereitung nicht eingeschwungen": "{text}";
    Warning::NotSequential(sequence),
        lines = sequence.lines.iter().map(sequential_line).collect::<Vec<_>>(),
        verb = if lines.len() == 1 { "ist" } else { "sind" },
        it = if lines.len() == 1 { "sie" } else { "jede" },
        lines = lines.join(" und "),
        profile = &sequence.profile,
        random = German.percent(sequence.random_percent) => "nicht sequenziell":
        "{lines} von {profile} {verb} für sich sequenziell, aber nicht in dieser Mischung: ihre I/Os \
         folgen auf das letzte I/O irgendeiner Zeile, und {random} aller I/Os gehen an wahlfreie \
         Stellen; {it} als Profil ohne wahlfreie Zeilen messen";
    Warning::TargetHangs { lost, waited_s },
        verb = if *lost == 1 { "kam" } else { "kamen" },
        waited = German.span(*waited_s),
        lost = counted(German, *lost as usize, "I/O", "I/Os") => "Ziel hängt":
        "{lost} {verb} bis {waited} nach dem Ende nicht zurück";
    Warning::SteadyStateNotAttained { rounds, window },
        found = window.map_or_else(
            || "gibt es kein Fenster aus Runden, das zu beurteilen wäre".to_owned(),
            |Spread { range_percent, slope_percent }| {
                let (range, slope) = (tenths(range_percent), tenths(slope_percent));
                format!("ist die Spannweite {range} und die Steigung {slope}")
            },
        ),
        rounds = common::rounds(German, *rounds as usize) => "nicht eingeschwungen":
        "Nach {rounds} {found}; das Ziel vorbereiten (--precondition) oder längere Runden wählen";
    Warning::RoundsNotSteady(UnsteadyRounds { rounds, series }),
        rounds = common::rounds(German, *rounds as usize),
        verb = if series.len() == 1 { "besteht" } else { "bestehen" },
        found = match series.as_slice() {
            [] => format!(
                "{rounds} sind zu wenige für die Prüfung, und die Zahlen sind Mittel über alle"
            ),
            series => format!(
                "nach {rounds} {verb} {} die Prüfung auf eingeschwungenen Zustand noch nicht; die Zahlen \
                 sind Mittel über die letzten Runden, und weitere Runden können sie ändern",
                series.join(", ")
            ),
        } => "Runden nicht eingeschwungen":
        "{found}";
    Warning::OtherCpuLoad(load),
        judged = match (load.limit_percent, load.disturbed_percent) {
            (Some(limit), _) => format!(
                ", mehr als die {} von --max-foreign-cpu; sie beenden und erneut messen",
                percent(limit)
            ),
            (None, Some(_)) => format!(
                ", und die gemessene Arbeit wartete bis zu {} der Zeit auf sie; sie beenden und erneut messen",
                percent(load.waited_percent)
            ),
            (None, None) => format!(
                ", aber die gemessene Arbeit musste höchstens {} der Zeit auf sie warten",
                tenths(load.waited_percent)
            ),
        },
        used = percent(load.used_percent) => "fremde Last auf den Prozessoren":
        "Andere Programme verbrauchten {used} der Prozessorzeit des Rechners{judged}";
    Warning::CpuStolen { stolen_percent, disturbed_percent },
        generator = match disturbed_percent {
            Some(share) => format!("bis zu {} der Zeit des Lastgenerators", percent(*share)),
            None => "wenig davon vom Lastgenerator".to_owned(),
        },
        stolen = percent(*stolen_percent) => "entzogene Prozessorzeit":
        "Der Hypervisor gab {stolen} der Prozessorzeit des Rechners an andere Maschinen, \
         {generator}; eigene Prozessoren verwenden oder messen, wenn der Wirt ruhig ist";
    Warning::RoundsLeftOut { left_out, rounds } => "Runden ausgelassen":
        "{left_out} von {rounds} Runden zählen nicht, weil eine Kopie darin mehr als 1,05-mal so lange brauchte \
         wie ohne fremde Last; sie wurden erneut gemessen";
    Warning::OutOfReach { measured_s, time_max_s, accuracy_percent },
        measured = German.written(&format!("{measured_s:.1} s")),
        longest = German.written(&format!("{time_max_s:.0} s")),
        accuracy = German.percent(*accuracy_percent) => "vorzeitig beendet":
        "Nach {measured} stand fest, dass die Intervalle auch nach {longest} nicht innerhalb von \
         {accuracy} liegen würden; das Ziel zur Ruhe kommen lassen, breitere Intervalle \
         zulassen (--accuracy) oder die Zeit selbst bestimmen (--time)";
    Warning::CopiesWaited { disturbed_percent },
        share = percent(*disturbed_percent) => "Kopien warteten":
        "Eine Kopie hatte {share} ihrer Zeit keinen Prozessor, weil andere Programme oder andere Maschinen \
         ihn hatten; sie beenden oder messen, wenn der Wirt ruhig ist";
    Warning::GeneratorBusy { used_percent },
        used = percent(*used_percent) => "Lastgenerator ausgelastet":
        "Das Programm, das die Benutzer spielt, verbrauchte {used} eines Prozessors; was auf einem Bildschirm \
         erscheint, während es andere betrachtet, wird zu spät bemerkt: weniger Benutzer von einem Rechner aus \
         spielen";
    Warning::ClockStepped { step_s },
        step = German.written(&format!("{} s", Difference(*step_s, 3))) => "Uhr gestellt":
        "Die Uhr wurde während der Messung um {step} verstellt, oder der Rechner schlief; den \
         Zeitdienst zur Ruhe kommen lassen, den Rechner wach halten und erneut messen";
    Warning::LevelShift { at_s, before_rate, after_rate, unit },
        change = match after_rate < before_rate {
            true => [
                "fielen",
                ", wie bei einer Drosselung; nach Grenzen der Kontrollgruppe (io.max, \
                 blkio.throttle), verbrauchtem Guthaben eines Cloud-Volumes, einem vollen \
                 Schreibcache oder Hitze suchen und länger messen (--min-time), um die untere Stufe \
                 allein zu erhalten",
            ],
            false => [
                "stiegen",
                "; etwas endete (ein Wiederaufbau, ein Trim, fremde Last), oder ein Cache wurde \
                 warm: einen längeren --ramp wählen",
            ],
        },
        verb = change[0],
        advice = change[1],
        at = seconds(*at_s),
        before = German.rate(*before_rate),
        after = German.rate(*after_rate),
        unit = unit.symbol() => "Sprung des Durchsatzes":
        "Nach {at} der Messzeit {verb} die {unit} von {before} auf {after} und blieben dort{advice}";
    Warning::Stalled { stalled_s, measured_s, ending },
        stalled = seconds(*stalled_s),
        measured = seconds(*measured_s),
        what = match ending {
            StallEnding::Completed => format!("Ein I/O dauerte {stalled} von {measured} Messzeit"),
            StallEnding::Outlasted => format!(
                "Ein I/O, das am Ende der {measured} Messzeit unterwegs war, dauerte {stalled}"
            ),
            StallEnding::Lost => format!(
                "Ein I/O, das am Ende der {measured} Messzeit unterwegs war, kam nicht zurück; der \
                 Stillstand dauerte mindestens {stalled}"
            ),
        } => "Stillstand":
        "{what}; etwas unterhalb des Ziels stand still: im Protokoll des Kernels nach \
         Zurücksetzungen und Zeitüberschreitungen suchen und länger messen (--time), wenn das Ziel \
         so ist";
    Warning::Imported { tool, file } => "importiert":
        "{tool} hat diesen Lauf gemessen; er wurde aus {file} gelesen, und was diese Datei nicht sagt, \
         fehlt";
    Warning::ImportedWith { note }, clause = imported::clause(German, note) => "importiert": "{clause}";
} {
    Warning::FailedAgain { series, load, warnings } => {
        failed_again(&format!("{series} bei {}", at_load(load)), warnings)
    };
    Warning::NotRestored { reason } => named("nicht zurückgestellt", "").english(reason);
    Warning::TransactionFailed { first } => named("Datenbank ausgefallen", "").english(first);
    Warning::FileOperationFailed { first } => named("Dateioperation fehlgeschlagen", "").english(first);
    Warning::Omission { omission } => super::omission::text(German, omission);
    Warning::IoErrors { errors, first } => io_errors(*errors, first);
    Warning::SettingChanged(change) => setting_changed(change);
    Warning::OnHost { host, warning } => Text::new().plain(format!("auf {host}: ")).join(german(warning));
    Warning::Other(recorded) => Text::new().english(&recorded.text);
}}

fn failed_again(point: &str, warnings: &[Warning]) -> Text {
    let seen = format!("{point} schlug fehl, der Messpunkt davor bleibt: ");
    let text = named("erneut gemessen", &seen);
    warnings.iter().enumerate().fold(text, |text, (index, warning)| {
        let text = if index == 0 { text } else { text.plain("; ") };
        text.join(german(warning))
    })
}

/// The data that a phase of preconditioning wrote, and how it ended.
fn phase_text(phase: &PreconditionPhase) -> String {
    let order = match phase.order {
        WriteOrder::Sequential => "sequenziell",
        WriteOrder::Random => "wahlfrei",
    };
    let (written, block) = (German.bytes(phase.written_bytes), German.bytes(phase.block_bytes));
    let ending = match &phase.ending {
        PhaseEnding::Volume { seconds } => format!("in {}", German.span(*seconds)),
        PhaseEnding::Steady(rounds) => format!("stabil nach {}", rounds_text(rounds)),
        PhaseEnding::Unsteady(rounds) => format!("nicht stabil nach {}", rounds_text(rounds)),
    };
    format!("{written} {order} geschrieben, Blöcke von {block}, {ending}")
}

fn rounds_text(rounds: &Rounds) -> String {
    let count = common::rounds(German, rounds.rounds as usize);
    rounds.window.map_or_else(
        || count.clone(),
        |Spread { range_percent, slope_percent }| {
            format!(
                "{count} (Spannweite {}, Steigung {} über die letzten {})",
                tenths(range_percent),
                tenths(slope_percent),
                rounds.window_rounds
            )
        },
    )
}

/// `Zeile 2 (64 KiB, schreibt)`.
fn sequential_line(line: &SequentialLine) -> String {
    let access = match line.access {
        LineAccess::Reads => "liest",
        LineAccess::Writes => "schreibt",
        LineAccess::ReadsAndWrites => "liest und schreibt",
    };
    format!("Zeile {} ({}, {access})", line.line, German.bytes(line.block_bytes))
}

fn io_errors(errors: u64, first: &str) -> Text {
    let failed = match errors {
        1 => "1 I/O schlug fehl".to_owned(),
        _ => format!("{} I/Os schlugen fehl", German.count_u64(errors)),
    };
    named("I/O-Fehler", &format!("{failed}; der erste Fehler: ")).english(first)
}

/// `13 % der gelesenen Bytes`.
fn bytes_unseen(unseen: &Unseen) -> String {
    let direction = match unseen.direction {
        Moved::Read => "gelesenen",
        Moved::Written => "geschriebenen",
    };
    format!("{} der {direction} Bytes", percent(unseen.missing_percent))
}

fn setting_changed(change: &SettingChange) -> Text {
    let text = named("Einstellung geändert", &change.setting);
    let text = match &change.found {
        FoundSetting::Value(now) => text.plain(format!(" ist „{now}“")),
        FoundSetting::Unreadable(why) => {
            text.plain(" ist nicht mehr lesbar (").english(why).plain(")")
        }
        FoundSetting::OtherDevice => {
            return text.plain(": Diesen Namen hat jetzt ein anderes Gerät oder keines");
        }
    };
    let expected = match &change.expected {
        ExpectedSetting::SetByRun(value) => format!("dieser Lauf hatte „{value}“ gesetzt"),
        ExpectedSetting::AsBefore(value) => format!("zuvor war es „{value}“"),
    };
    text.plain(format!(": Jemand anderes hat es geändert, {expected}"))
}

#[cfg(test)]
mod tests {
    use kneepoint_core::result::warning::{Recorded, Severity};

    use super::*;
    use crate::page::Inline;

    /// Warnings of every kind.
    fn samples() -> Vec<Warning> {
        let samples = include_str!("../../../kneepoint-core/tests/data/warnings.json");
        serde_json::from_str(samples).unwrap()
    }

    #[test]
    fn every_warning_is_written_in_german() {
        let line = |sample: &Warning| {
            let words = warning(German, sample).words().replace('\u{a0}', " ");
            format!("{}: {}\n", sample.kind(), words.replace('\u{202f}', "'"))
        };
        insta::assert_snapshot!(samples().iter().map(line).collect::<String>());
    }

    #[test]
    fn english_words_are_only_what_the_run_holds_as_such() {
        for sample in samples() {
            let has_english = warning(German, &sample)
                .0
                .iter()
                .any(|inline| matches!(inline, Inline::English(words) if !words.is_empty()));
            let holds_english = match &sample {
                Warning::NotRestored { .. }
                | Warning::IoErrors { .. }
                | Warning::TransactionFailed { .. }
                | Warning::FileOperationFailed { .. } => true,
                Warning::SettingChanged(change) => {
                    matches!(change.found, FoundSetting::Unreadable(_))
                }
                _ => false,
            };
            assert_eq!(has_english, holds_english, "{sample:?}");
            assert_eq!(warning(English, &sample).words(), sample.text());
        }
    }

    #[test]
    fn a_warning_of_another_version_keeps_its_words() {
        let old = Warning::from(Recorded::sentence(Severity::Limits, "CPU stolen: 7 %"));
        assert_eq!(warning(German, &old), Text::new().english("CPU stolen: 7 %"));
        assert_eq!(warning(English, &old), "CPU stolen: 7 %".into());
    }
}
