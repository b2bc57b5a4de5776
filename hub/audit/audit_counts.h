// The counts of the audit log.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::audit {

/// Written by the stage thread only.
struct Counts {
    eta::Total<"emissary_hub_audit_events_total", "events", "Events for the audit log, those that were lost included.">
        events;
    eta::Total<"emissary_hub_audit_lost_total", "events",
               "Events that are not in the audit log, since AuditQueueBytes of lines waited or the hub ended without "
               "being able to write; a line of the log says how many, once one can be written.">
        lost;
    eta::Level<"emissary_hub_audit_waiting_bytes", "bytes", "Of lines that wait to be written."> waiting;
};

/// Written by the writer's thread only.
struct WriterCounts {
    eta::Total<"emissary_hub_audit_written_total", "lines", "Lines of the audit log that were written."> written;
    eta::Total<"emissary_hub_audit_failures_total", "times",
               "Times that the audit log could not be opened, written or made to reach the disk.">
        failures;
    eta::Level<"emissary_hub_audit_failing", "", "1 while the audit log cannot be written."> failing;
    eta::Total<"emissary_hub_audit_files_total", "files", "Files of the audit log that were opened."> files;
    eta::Total<"emissary_hub_audit_files_removed_total", "files",
               "Files of the audit log that were removed, since there were more than AuditFiles.">
        removed;
};

}  // namespace emissary::hub::audit
