// The counts of consumers and providers: names, units and meanings.
#include "session/extensions/counts_catalogue.h"

#include "support/catch.hpp"

#include <set>
#include <string>

using namespace emissary;

TEST_CASE("Every count has a name of its own, a unit and a meaning", "[ema][metrics]") {
    std::set<std::string> names;
    for (const reactor::MetricGroup& group : ema::countGroups()) {
        INFO(group.title);
        CHECK_FALSE(group.rows.empty());
        for (const eta::CountRow& row : group.rows) {
            const std::string name = row.name, meaning = row.meaning;
            INFO(name);
            CHECK(names.insert(name).second);
            CHECK(name.rfind("emissary_", 0) == 0);
            CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") == std::string::npos);
            CHECK_FALSE(std::string(row.unit).empty());
            REQUIRE(meaning.size() > 10);
            CHECK(meaning.back() == '.');
            CHECK(std::isupper(static_cast<unsigned char>(meaning.front())) != 0);
            const bool total = name.size() > 6 && name.compare(name.size() - 6, 6, "_total") == 0;
            CHECK(total == (row.kind == eta::CountKind::total));  // the convention of Prometheus
            CHECK((name.find("_peak") != std::string::npos) == (row.kind == eta::CountKind::peak));
        }
    }
    CHECK(names.size() > 80);
}
