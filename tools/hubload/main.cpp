// hubload: many bare consumer connections against one server, for measuring its fan-out, its images and its patience.
#include "Load.h"
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include <cstdio>
#include <exception>

namespace {

using emissary::eta::ProgramOption;
using emissary::eta::takeFlag;
using emissary::eta::takeNumber;
using emissary::eta::takeText;

std::vector<ProgramOption> optionsInto(emissary::hubload::Options& o) {
    return {
        {"-h", "HOST", "host (127.0.0.1)", takeText(o.host)},
        {"-p", "PORT", "port (14002)",
         [&o](const std::string& value) {
             std::uint16_t number = 0;
             std::string mistake = takeNumber<std::uint16_t>(number, 1)(value);
             // Checked as a number and kept as text, as the connection options want it.
             if (mistake.empty()) o.port = value;
             return mistake;
         }},
        {"-serviceName", "NAME", "service (DIRECT_FEED)", takeText(o.service)},
        {"-connections", "N", "connections (100)", takeNumber(o.connections)},
        {"-items", "N", "items of each connection (1)", takeNumber(o.items)},
        {"-firstItem", "N", "number of the first one: EMI000001.X (1)", takeNumber(o.firstItem)},
        {"-seconds", "N", "counted after the last image (10)", takeNumber(o.seconds)},
        {"-connectRate", "N", "connections begun per second; 0 = all at once (0)", takeNumber(o.connectRate)},
        {"-patience", "N", "seconds until all images are there (60)", takeNumber(o.patience)},
        {"-silent", "N", "connections that stop reading after their images (0)", takeNumber(o.silent)},
        {"-distinct", "", "every connection has items of its own", takeFlag(o.distinct)},
        {"-snapshot", "", "ask without updates and end with the last image", takeFlag(o.snapshot)},
        {"-recover", "", "lost connections come back", takeFlag(o.recover)},
    };
}

}  // namespace

int main(int argc, char** argv) {
    emissary::hubload::Options options;
    const std::vector<ProgramOption> table = optionsInto(options);
    emissary::eta::ProgramLine line = emissary::eta::readProgramLine("hubload", table, argc, argv);
    if (line.help)
        return emissary::eta::printText("hubload", "usage: hubload [options]\n\n" + emissary::eta::optionLines(table));
    if (line.version)
        return emissary::eta::printText("hubload", "hubload (Emissary) " + std::string(emissary::version()) + "\n");
    if (line.mistake.empty() && !line.words.empty()) line.mistake = "[" + line.words.front() + "] is no option";
    if (!line.mistake.empty()) return std::fprintf(stderr, "hubload: %s\n", line.mistake.c_str()), 2;
    try {
        return emissary::hubload::Load(options).run();
    } catch (const std::exception& e) {
        std::fprintf(stderr, "hubload: %s\n", e.what());
        return 1;
    }
}
