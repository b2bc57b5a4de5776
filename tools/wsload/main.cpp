// wsload: thousands of virtual web clients of a server of rssl.json.v2, and how late each message reaches them.
#include "Options.h"
#include "Run.h"
#include "eta/core/version.h"

#include <cstdio>
#include <exception>
#include <vector>

int main(int argc, char** argv) {
    using namespace emissary::eta;
    emissary::wsload::Options options;
    const std::vector<ProgramOption> table = emissary::wsload::optionsInto(options);
    ProgramLine line = readProgramLine("wsload", table, argc, argv);
    if (line.help) return printText("wsload", "usage: wsload [options]\n\n" + optionLines(table));
    if (line.version) return printText("wsload", "wsload (Emissary) " + std::string(emissary::version()) + "\n");
    if (line.mistake.empty() && !line.words.empty()) line.mistake = "[" + line.words.front() + "] is no option";
    if (line.mistake.empty()) line.mistake = emissary::wsload::conflictIn(options);
    if (!line.mistake.empty()) return std::fprintf(stderr, "wsload: %s\n", line.mistake.c_str()), 2;
    try {
        return emissary::wsload::run(options);
    } catch (const std::exception& e) {
        std::fprintf(stderr, "wsload: %s\n", e.what());
        return 1;
    }
}
