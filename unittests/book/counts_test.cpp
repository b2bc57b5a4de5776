// The counters of books among the counts of a consumer: their names, and the page that lists all counts.
#include "apply/count_rows.h"
#include "session/extensions/counts_catalogue.h"

#include "support/catch.hpp"
#include "support/paths.h"

#include <fstream>
#include <set>
#include <sstream>
#include <string>

using namespace emissary;

TEST_CASE("counters of books have names as other counts have", "[book][metrics]") {
    const auto rows = book::detail::countRows();
    REQUIRE(rows.size() == book::counterTable().size());
    CHECK(std::string(rows[0].name) == "emissary_book_refreshes_total");
    std::set<std::string> names;
    for (const auto& group : ema::countGroups())
        for (const eta::CountRow& row : group.rows)
            names.insert(row.name);
    for (const eta::CountRow& row : rows) {
        INFO(row.name);
        CHECK(names.insert(row.name).second);
        CHECK(std::string(row.name).find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos);
        CHECK(row.kind == eta::CountKind::total);
        CHECK(std::string(row.meaning).back() == '.');
    }
    CHECK(names.count("emissary_book_add_of_known_total") == 1);
    CHECK(names.count("emissary_book_fault_no_side_total") == 1);
}

TEST_CASE("docs/metrics.md is what the counts say", "[book][metrics]") {
    std::ifstream in(test::sourcePath("/docs/metrics.md"));
    std::stringstream page;
    page << in.rdbuf();
    auto groups = ema::countGroups();
    groups.push_back({"Order books", "", book::detail::countRows()});
    INFO("run generate_metrics_doc > docs/metrics.md");
    CHECK(page.str() == reactor::metricsAsMarkdown(groups));
}
