// The counts of the access room.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::access {

/// Written by the stage thread only.
struct Counts {
    eta::Total<"emissary_hub_access_reads_total", "times", "Times that files of logins, keys or rules were read again.">
        reads;
    eta::Total<"emissary_hub_access_read_errors_total", "files",
               "Files of logins, keys or rules that had errors when they were read again, so that what was read before "
               "stayed in use.">
        readErrors;
    eta::Level<
        "emissary_hub_access_faulty_files", "files",
        "Files of logins, keys or rules that had errors when they were read last; what was read before is in use.">
        faulty;
    eta::Level<"emissary_hub_access_rules", "rules", "Rules on items in use."> rules;
    eta::Level<"emissary_hub_access_logins_open", "logins", "Logins that are being checked."> open;
};

}  // namespace emissary::hub::access
