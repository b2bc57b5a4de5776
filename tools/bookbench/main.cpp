// bookbench: what order books cost, beside bare structures, and their latencies by sending delay.
#include "Figures.h"
#include "Latency.h"
#include "Live.h"
#include "eta/core/version.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace {

using namespace bookbench;

constexpr const char* kUsage =
    R"(bookbench [options]     prints costs per update beside bare structures, then latencies by sending delay

  --channels A,B           which channels (A like 360 of the published report, B like 384)
  --delays 0,10,50         pauses between packets, in milliseconds
  --kind mbp,mbo,messages  what is measured
  --seconds 20             time for each cell of the tables
  --live                   latencies over a connection: from submit() of a provider to the consumer's book
  --wait spin|sleep        how a pause is spent
  --out DIR                writes bookbench.csv and bookbench.html there
  --rounds 5               rounds of the costs per update; 0 leaves them out
  --books 100000           books whose memory is added up; 0 leaves that out
  --dictionary FILE        RDMFieldDictionary, for the public walk (default: RDMFieldDictionary beside the program)
  --help
  --version
)";

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

template <class Number>
Number numberOf(const char* option, const std::string& text, Number least, Number most) {
    Number n{};
    const auto end = std::from_chars(text.data(), text.data() + text.size(), n);
    if (end.ec != std::errc{} || end.ptr != text.data() + text.size() || n < least || n > most) {
        std::ostringstream what;
        what << option << " takes a number from " << least << " to " << most << ", not '" << text << "'";
        throw std::invalid_argument(what.str());
    }
    return n;
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

Measured kindOf(const std::string& text) {
    for (const Measured m : {Measured::messages, Measured::prices, Measured::orders})
        if (text == name(m)) return m;
    throw std::invalid_argument("--kind takes mbp, mbo and messages, not '" + text + "'");
}

Settings read(int argc, char** argv) {
    Settings s;
    s.dictionary = std::string(argv[0]).substr(0, std::string(argv[0]).rfind('/') + 1) + "RDMFieldDictionary";
    for (int i = 1; i < argc; ++i) {
        const std::string option = argv[i];
        const auto value = [&]() -> std::string {
            if (++i == argc) throw std::invalid_argument(option + " needs a value; bookbench --help shows the options");
            return argv[i];
        };
        if (option == "--channels") {
            s.latency.channels = parts(value());
            for (const std::string& c : s.latency.channels)
                if (c != "A" && c != "B") throw std::invalid_argument("--channels takes A and B, not '" + c + "'");
        } else if (option == "--delays") {
            s.latency.delays.clear();
            for (const std::string& d : parts(value()))
                s.latency.delays.push_back(numberOf<unsigned>("--delays", d, 0, 10'000));
        } else if (option == "--kind") {
            s.latency.kinds.clear();
            for (const std::string& k : parts(value()))
                s.latency.kinds.push_back(kindOf(k));
        } else if (option == "--seconds") {
            s.latency.seconds = numberOf<double>("--seconds", value(), 0.001, 86'400);
        } else if (option == "--live") {
            s.latency.live = true;
        } else if (option == "--wait") {
            const std::string how = value();
            if (how != "spin" && how != "sleep")
                throw std::invalid_argument("--wait takes spin or sleep, not '" + how + "'");
            s.latency.sleep = how == "sleep";
        } else if (option == "--out") {
            s.out = value();
        } else if (option == "--rounds") {
            s.rounds = numberOf<int>("--rounds", value(), 0, 1000);
        } else if (option == "--books") {
            s.books = numberOf<unsigned>("--books", value(), 0, 10'000'000);
        } else if (option == "--dictionary") {
            s.dictionary = value();
        } else {
            throw std::invalid_argument("unknown option '" + option + "'; bookbench --help shows the options");
        }
    }
    return s;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-?") == 0))
        return std::fputs(kUsage, stdout) < 0;
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0)
        return std::printf("bookbench (Emissary) %s\n", std::string(emissary::version()).c_str()) < 0;
    try {
        const Settings s = read(argc, argv);
        printLength(s);
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
