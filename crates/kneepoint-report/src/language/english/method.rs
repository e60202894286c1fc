//! How it was measured, and boxes that explain how to read it.

use kneepoint_core::words::storage_class::StorageClass;

use crate::language::catalog::{BoxTexts, MethodTexts};

pub(super) const METHOD: MethodTexts = MethodTexts {
    heading: "Measurement tool and method",
    tool: |version| {
        format!(
            "The run was measured with Kneepoint {version}. For every series it keeps a load on \
             the target, waits until the warm-up is over, measures, and goes on to the next load. \
             Each such measurement is a point; the points of a series form a curve of throughput \
             and response time, from which the key figures are read."
        )
    },
    outstanding: (
        "Outstanding I/Os",
        "The load is set by the number of requests that each target has in hand at any moment. As \
         soon as one completes, the next is issued, so the number stays the same however fast or \
         slow the target answers. The achieved number is what the results themselves imply: \
         throughput times mean response time (Little's law). Where it is well below the number \
         set, the load generator or the kernel held requests back.",
    ),
    offered: (
        "Offered IO/s",
        "The load is set by the number of requests per second that arrive at each target, \
         whatever the target answers. The response time of a request counts from the moment at \
         which it should have been issued, so a target that falls behind cannot hide the wait.",
    ),
    throughput: (
        "Throughput",
        "IO/s counts I/Os that completed within the measured time; MiB/s is 2^20 bytes per \
         second. With several targets the numbers are those of all targets together.",
    ),
    response: (
        "Mean response time",
        "The time from issuing an I/O until its completion is seen, averaged over every I/O that \
         completed within the measured time. The mean comes from exact sums, not from a histogram.",
    ),
    percentiles: (
        "Percentiles",
        "A response time of p99 means that 99\u{a0}% of the I/Os were at least as fast. \
         Percentiles are read from histograms that keep three significant digits over the whole \
         range and into which every single I/O is counted; percentiles of several intervals are \
         never averaged, their histograms are added.",
    ),
    sustained: "Sustained throughput",
    sustained_text: |rules| {
        format!(
            "The throughput at which the response time of a series reaches a rule. {rules} Load \
             rises from point to point; between the last point that meets the rule and the first \
             that breaks it, throughput and load are interpolated on a straight line. If the \
             lowest load already breaks the rule, or the highest still meets it, this report gives \
             a bound instead."
        )
    },
    no_rule: "This run has no rule.",
    one_rule: |rule| format!("The rule of this run is {rule}."),
    several_rules: |rules| format!("The rules of this run are {rules}."),
    class: "Rules by the class of the target",
    class_decides: "No rule was named for this run, so the class of the target decides: ",
    class_rules: |class| match class {
        StorageClass::Rotational => {
            "For disks these are the limits of published reports on disk storage."
        }
        StorageClass::Flash => {
            "One expects of flash and memory that hardly any I/O waits, so a high percentile is \
             limited instead of the mean."
        }
    },
    peak: (
        "Peak throughput",
        "The highest throughput of a series, whatever the response time, read at the smallest load \
         whose 95\u{a0}% confidence interval reaches it: what higher loads add cannot be told from \
         chance. It says what can be squeezed out, not what can be worked with.",
    ),
    timing: "Warm-up and measured time",
    timing_text: |times| {
        format!(
            "Every point starts with a warm-up that counts for nothing. {times}The verdict tells \
             how the measured time ended, and whether the numbers of its intervals held still."
        )
    },
    times: |ramp, measured| {
        format!("In this run the warm-up took {ramp} and measuring {measured} per point. ")
    },
    confidence: (
        "Confidence intervals",
        "The columns headed ± hold the half-width of the 95\u{a0}% confidence interval in percent \
         of the mean before them. It is given only where the measurement was long enough to tell.",
    ),
    cpu: ("CPU", "CPU time that the load generator itself used, in percent of one processor."),
};

pub(super) const BOXES: BoxTexts = BoxTexts {
    sustained: (
        "How to read “sustained”",
        "The sustained throughput is what the target delivers while the response time still \
         meets the rule: the number to plan with. Throughput beyond it is bought with waiting, and \
         a system that runs there has nothing left for a busy hour.",
    ),
    mean_limit: (
        "Why a limit on the mean response time",
        "Under rising load, throughput grows as long as the target finds more to do at the same \
         time; from there on only the queue grows. A limit on response time marks the useful end \
         of the curve in the same way for every target. Limits of 15 and 20\u{a0}ms are usual for \
         disk storage; for flash, smaller limits and percentiles tell more.",
    ),
    confidence: (
        "Why confidence intervals",
        "A measurement is a sample. The interval says how far the mean could lie off by chance: \
         if the point were measured many times, 95 of 100 intervals would hold the true mean. Two \
         results whose intervals overlap widely are not different because one number is larger.",
    ),
    judge: (
        "IO/s or MiB/s",
        "Series that are mostly random are judged by IO/s, because each access costs about the \
         same; series that are mostly sequential by MiB/s, because there the bytes count.",
    ),
};
