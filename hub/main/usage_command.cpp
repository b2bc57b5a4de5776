// Reads files of use, and prints them in the form that was asked for.
#include "hub/main/commands.h"

#include "eta/core/program_options.h"
#include "hub/usage/report.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>

namespace emissary::hub {

bool printUsage(const UsageCommand& command) {
    const usage::Report report = usage::readReport(command.folder, command.month);
    for (const std::string& fault : report.faults)
        std::fprintf(stderr, "emissary-hub: %s\n", fault.c_str());
    bool good = report.faults.empty();
    if (!good && report.byDay.empty()) return false;  // nothing could be read: no empty report in its place
    if (good && report.byDay.empty())
        std::fprintf(stderr, "emissary-hub: the folder %s has no use of %s\n", command.folder.c_str(),
                     command.month.empty() ? "any day" : command.month.c_str());
    if (!command.htmlFile.empty()) {
        std::ofstream page(command.htmlFile, std::ios::binary | std::ios::trunc);
        page << usage::asHtml(report);
        page.close();
        if (!page) {
            std::fprintf(stderr, "emissary-hub: the page cannot be written to %s: %s\n", command.htmlFile.c_str(),
                         std::strerror(errno));
            good = false;
        }
    }
    if (command.csv) std::fputs(usage::asCsv(report).c_str(), stdout);
    else if (command.htmlFile.empty()) std::fputs(usage::asTable(report).c_str(), stdout);
    return eta::standardOutputWritten("emissary-hub") && good;
}

}  // namespace emissary::hub
