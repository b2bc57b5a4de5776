// Writes docs/hub-config.md from the table of the hub's parameters: generate_hub_config_doc > docs/hub-config.md
#include "hub/config/schema.h"

#include <cstdio>

int main() {
    const std::string text = emissary::hub::referenceAsMarkdown();
    return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
