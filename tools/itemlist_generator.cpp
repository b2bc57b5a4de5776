// Writes an item list for the performance tools: itemlist-generator <count> <file>
// Names are EMI000001.X, EMI000002.X …; the first items take part in posting and in generic messages.
#include "eta/core/program_options.h"
#include "eta/core/version.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>

namespace {

constexpr long kMostItems = 999'999;  // six digits in a name
constexpr long kPostItems = 100;
constexpr long kGenericItems = 50;

using Options = std::span<const emissary::eta::ProgramOption>;

int printHelp(Options options) {
    return emissary::eta::printText(
        "itemlist-generator",
        "Usage: itemlist-generator <count, 1 to " + std::to_string(kMostItems) +
            "> <file>\n"
            "Writes an item list for the performance tools: the items EMI000001.X, EMI000002.X and so on.\n"
            "The first " +
            std::to_string(kPostItems) + " take part in posting, the first " + std::to_string(kGenericItems) +
            " in generic messages.\n" + emissary::eta::optionLines(options));
}

}  // namespace

int main(int argc, char** argv) {
    const Options options{};  // there are --help and --version alone
    const emissary::eta::ProgramLine line = emissary::eta::readProgramLine("itemlist-generator", options, argc, argv);
    if (line.help) return printHelp(options);
    if (line.version)
        return emissary::eta::printText("itemlist-generator",
                                        "itemlist-generator (Emissary) " + std::string(emissary::version()) + "\n");
    long count = 0;
    std::string mistake = line.mistake;
    if (mistake.empty() && line.words.size() != 2) mistake = "needs a count and a file, as --help says";
    if (mistake.empty())
        if (const std::string why = emissary::eta::takeNumber(count, 1L, kMostItems)(line.words[0]); !why.empty())
            mistake = "the count " + why;
    if (!mistake.empty()) {
        std::fprintf(stderr, "itemlist-generator: %s\n", mistake.c_str());
        return 1;
    }
    const std::string& path = line.words[1];
    std::FILE* file = std::fopen(path.c_str(), "we");
    if (file == nullptr) {
        std::fprintf(stderr, "Error: Cannot write '%s': %s.\n", path.c_str(), std::strerror(errno));
        return 1;
    }
    std::fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<itemList>\n", file);
    for (long i = 1; i <= count; ++i)
        std::fprintf(file, "  <item domain=\"MarketPrice\" name=\"EMI%06ld.X\"%s%s/>\n", i,
                     i <= kPostItems ? " post=\"true\"" : "", i <= kGenericItems ? " genMsg=\"true\"" : "");
    std::fputs("</itemList>\n", file);
    const bool written = std::ferror(file) == 0;
    if (std::fclose(file) != 0 || !written) {
        std::fprintf(stderr, "Error: Cannot write '%s': %s.\n", path.c_str(), std::strerror(errno));
        return 1;
    }
    return 0;
}
