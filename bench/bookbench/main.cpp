// bookbench: what order books cost, beside bare structures, and their latencies by sending delay.
#include "Figures.h"
#include "Latency.h"
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include <cstdio>
#include <sstream>
#include <stdexcept>

namespace {

using namespace bookbench;
using emissary::eta::ProgramOption;
using emissary::eta::takeChoice;
using emissary::eta::takeFlag;
using emissary::eta::takeNumber;
using emissary::eta::takeText;

struct Settings {
    LatencyOptions latency;
    std::string out, dictionary;
    int rounds = 5;
    unsigned books = 100'000;
};

std::vector<std::string> parts(const std::string& list) {
    std::vector<std::string> out;
    std::istringstream in(list);
    for (std::string part; std::getline(in, part, ',');)
        out.push_back(part);
    return out;
}

/// Whoever starts it knows when to look again. The costs and the memory come first and take a part of a minute.
void printLength(const Settings& s) {
    const std::size_t cells = s.latency.kinds.size() * s.latency.channels.size() * s.latency.delays.size();
    const double seconds = static_cast<double>(cells) * s.latency.seconds;
    std::printf("%zu cells of %g s each (--seconds): about %.0f s", cells, s.latency.seconds, seconds);
    if (seconds >= 120) std::printf(", %.1f minutes", seconds / 60);
    std::fputs(s.rounds != 0 || s.books != 0 ? ", and the costs and memory before them (--rounds, --books)\n\n"
                                             : "\n\n",
               stdout);
    std::fflush(stdout);
}

/// Takes a comma-separated list, part by part.
template <class Take>
auto takeParts(Take take) {
    return [take](const std::string& list) -> std::string {
        std::string why;
        for (const std::string& part : parts(list))
            if (why.empty()) why = take(part);
        return why;
    };
}

std::vector<ProgramOption> optionsInto(Settings& s) {
    LatencyOptions& l = s.latency;
    const auto takeChannels = [&l](const std::string& list) {
        l.channels = parts(list);
        for (const std::string& c : l.channels)
            if (c != "A" && c != "B") return "takes A and B, not '" + c + "'";
        return std::string();
    };
    const auto takeDelays = [&l](const std::string& list) {
        l.delays.clear();
        return takeParts([&l](const std::string& one) {
            unsigned delay = 0;
            std::string why = takeNumber(delay, 0u, 10'000u)(one);
            l.delays.push_back(delay);
            return why;
        })(list);
    };
    const auto takeKinds = [&l](const std::string& list) {
        l.kinds.clear();
        return takeParts([&l](const std::string& one) -> std::string {
            for (const Measured m : {Measured::messages, Measured::prices, Measured::orders})
                if (one == name(m)) return l.kinds.push_back(m), "";
            return "takes mbp, mbo and messages, not '" + one + "'";
        })(list);
    };
    return {
        {"--channels", "A,B", "which channels (A like 360 of the published report, B like 384)", takeChannels},
        {"--delays", "0,10,50", "pauses between packets, in milliseconds", takeDelays},
        {"--kind", "mbp,mbo,messages", "what is measured", takeKinds},
        {"--seconds", "20", "time for each cell of the tables", takeNumber(l.seconds, 0.001, 86'400.0)},
        {"--live", "", "latencies over a connection: from submit() of a provider to the\nconsumer's book",
         takeFlag(l.live)},
        {"--wait", "spin|sleep", "how a pause is spent", takeChoice<bool>(l.sleep, {{"spin", false}, {"sleep", true}})},
        {"--out", "DIR", "writes bookbench.csv and bookbench.html there", takeText(s.out)},
        {"--rounds", "5", "rounds of the costs per update; 0 leaves them out", takeNumber(s.rounds, 0, 1000)},
        {"--books", "100000", "books whose memory is added up; 0 leaves that out",
         takeNumber(s.books, 0u, 10'000'000u)},
        {"--dictionary", "FILE",
         "RDMFieldDictionary, for the public walk (default: RDMFieldDictionary\nbeside the program)",
         takeText(s.dictionary)},
    };
}

}  // namespace

int main(int argc, char** argv) {
    Settings s;
    // The build puts the dictionary beside the program, so that it runs from any folder.
    s.dictionary = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/') + 1) + "RDMFieldDictionary";
    const std::vector<ProgramOption> table = optionsInto(s);
    emissary::eta::ProgramLine line = emissary::eta::readProgramLine("bookbench", table, argc, argv);
    if (line.help)
        return emissary::eta::printText("bookbench",
                                        "bookbench [options]     prints costs per update beside bare structures, then "
                                        "latencies by sending delay\n\n" +
                                            emissary::eta::optionLines(table));
    if (line.version)
        return emissary::eta::printText("bookbench", "bookbench (Emissary) " + std::string(emissary::version()) + "\n");
    if (line.mistake.empty() && !line.words.empty()) line.mistake = "[" + line.words.front() + "] is no option";
    if (!line.mistake.empty()) return std::fprintf(stderr, "bookbench: %s\n", line.mistake.c_str()), 2;
    try {
        if (!s.out.empty()) makeFolder(s.out);  // before the minutes that a run takes
        printLength(s);
        // Costs first: the latencies take minutes, and a reader may stop there.
        if (s.rounds != 0) printFigures(s.dictionary.c_str(), s.rounds);
        if (s.books != 0) printMemory(s.books);
        if (s.latency.kinds.empty()) return 0;
        std::printf("\n");
        const std::vector<Cell> cells =
            s.latency.live ? measureLive(s.latency, s.dictionary) : measureInProcess(s.latency);
        printTables(cells, s.latency);
        if (!s.out.empty()) writeFiles(cells, s.latency, s.out);
    } catch (const std::exception& failure) {
        std::fprintf(stderr, "bookbench: %s\n", failure.what());
        return 1;
    }
    return 0;
}
