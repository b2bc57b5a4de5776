// Writes docs/options.md from the option table of the performance tools: generate_options_doc > docs/options.md
#include "Options.h"

#include <cstdio>

int main() {
    const std::string text = emissary::perf::optionsMarkdown();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
