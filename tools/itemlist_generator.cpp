// Writes an item list for the performance tools: itemlist-generator <count> <file>
// Names are EMI000001.X, EMI000002.X …; the first items take part in posting and in generic messages.
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {
constexpr long kMostItems = 999'999;  // six digits in a name
constexpr long kPostItems = 100;
constexpr long kGenericItems = 50;
}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::strcmp(argv[1], "--version") == 0) {
        std::puts("itemlist-generator (Emissary) " EMISSARY_VERSION);
        return 0;
    }
    if (argc == 2 && std::strcmp(argv[1], "--help") == 0) {
        std::printf("Usage: itemlist-generator <count, 1 to %ld> <file>\n"
                    "Writes an item list for the performance tools: the items EMI000001.X, EMI000002.X and so on.\n"
                    "The first %ld take part in posting, the first %ld in generic messages.\n"
                    "  --help     shows this\n"
                    "  --version  shows the version\n",
                    kMostItems, kPostItems, kGenericItems);
        return 0;
    }
    const long count = argc == 3 ? std::strtol(argv[1], nullptr, 10) : 0;
    if (count < 1 || count > kMostItems) {
        std::fprintf(stderr, "Usage: itemlist-generator <count, 1 to %ld> <file>\n", kMostItems);
        return 1;
    }
    std::FILE* file = std::fopen(argv[2], "we");
    if (file == nullptr) {
        std::fprintf(stderr, "Error: Cannot write '%s': %s.\n", argv[2], std::strerror(errno));
        return 1;
    }
    std::fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<itemList>\n", file);
    for (long i = 1; i <= count; ++i)
        std::fprintf(file, "  <item domain=\"MarketPrice\" name=\"EMI%06ld.X\"%s%s/>\n", i,
                     i <= kPostItems ? " post=\"true\"" : "", i <= kGenericItems ? " genMsg=\"true\"" : "");
    std::fputs("</itemList>\n", file);
    const bool written = std::ferror(file) == 0;
    if (std::fclose(file) != 0 || !written) {
        std::fprintf(stderr, "Error: Cannot write '%s': %s.\n", argv[2], std::strerror(errno));
        return 1;
    }
    return 0;
}
