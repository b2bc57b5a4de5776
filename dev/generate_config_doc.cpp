// Writes docs/config.md from the table of configuration parameters: generate_config_doc > docs/config.md
#include "config/parameters.h"

#include <cstdio>

int main() {
    const std::string text = emissary::ema::parametersAsMarkdown();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
