// The parameter table and the page made from it.
#include "config/parameters.h"
#include "support.h"
#include "support/paths.h"

#include <set>

using namespace emissary::ema;
using namespace emissary::ema::test;

namespace {

std::vector<SectionMask> sections() {
    std::vector<SectionMask> all;
    for (SectionMask s = 1; s <= Section::global; s <<= 1)
        all.push_back(s);
    return all;
}

}  // namespace

TEST_CASE("every section has a name and no parameter twice", "[config][table]") {
    std::set<std::string> titles;
    for (const SectionMask section : sections()) {
        INFO(sectionName(section));
        CHECK(titles.insert(sectionName(section)).second);
        std::set<std::string> names;
        for (const Parameter& p : allParameters()) {
            if ((p.sections & section) == 0) continue;
            INFO(p.name);
            CHECK(names.insert(p.name).second);
            CHECK(findParameter(section, p.name) == &p);
        }
    }
}

TEST_CASE("every default is a value that the reader takes without a word", "[config][table]") {
    for (const Parameter& p : allParameters()) {
        if (*p.defaultText == '\0') continue;
        for (const SectionMask section : sections()) {
            if ((p.sections & section) == 0) continue;
            INFO(sectionName(section) << " / " << p.name);
            ConfigNode node;
            node.name = p.name;
            node.value = p.kind == Kind::enumeration ? std::string(p.enums->name) + "::" + p.defaultText
                                                     : std::string(p.defaultText);
            node.hasValue = true;
            ConfigEntry entry;
            std::vector<QueuedRecord> records;
            CHECK(absorbParameter(node, section, entry, records));
            CHECK(recordsWith(records, LogSeverity::warning, {"moved"}) == (p.moved ? 1u : 0u));
            CHECK(records.size() == (p.moved ? 1u : 0u));
        }
    }
}

TEST_CASE("limits and texts of the table make sense", "[config][table]") {
    for (const Parameter& p : allParameters()) {
        INFO(p.name);
        CHECK(p.sections != 0);
        CHECK(*p.meaning != '\0');
        CHECK(p.minimum <= p.maximum);
        CHECK((p.kind == Kind::enumeration) == (p.enums != nullptr));
        if (p.kind == Kind::unsignedInteger) CHECK(p.minimum >= 0);
    }
    CHECK(findParameter(Section::consumer, "NoSuchThing") == nullptr);
    CHECK(findParameter(Section::consumer, "host") == nullptr);  // names are case sensitive
    CHECK(findParameter(Section::server, "Host") == nullptr);
}

TEST_CASE("docs/config.md is what the table says", "[config][table]") {
    const std::string page = parametersAsMarkdown();
    for (const Parameter& p : allParameters()) {
        INFO(p.name);
        CHECK(page.find(std::string("| ") + p.name + " |") != std::string::npos);
    }
    INFO("run generate_config_doc > docs/config.md");
    CHECK(contentOf(emissary::test::sourcePath("/docs/config.md")) == page);
}
