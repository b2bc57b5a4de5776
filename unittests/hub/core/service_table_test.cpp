// Which settings a service has: those of its name or the others', before and after a change of the settings.
#include "hub/core/Service.h"
#include "support/catch.hpp"

#include <optional>
#include <string>

using namespace emissary::hub;

namespace {

/// The file of templates stands for all that an entry says.
ServiceSettings entry(const std::string& name, const std::string& says, std::optional<std::uint16_t> id = {}) {
    ServiceSettings s;
    s.name = name;
    s.templateFile = says;
    s.serviceId = id;
    return s;
}

std::string saidOf(ServiceTable& table) {
    std::string all;
    table.forEach([&](const Service& s) { all += s.name + " " + s.policy.templateFile + ";"; });
    return all;
}

}  // namespace

TEST_CASE("services have the settings of their names, or the others'", "[hub][core]") {
    ServiceTable table({entry("A", "a", 7), entry("B", "b")}, entry("*", "others"));
    for (const char* const name : {"A", "B", "C"})
        REQUIRE(table.add(name, 0) != nullptr);
    CHECK(saidOf(table) == "B b;C others;A a;");
    // Entries come, go and change; those of services that are not there wait for them.
    table.setPolicies({entry("D", "d", 9), entry("C", "c"), entry("B", "b2")}, entry("*", "others2"));
    CHECK(saidOf(table) == "B b2;C c;A others2;");
    CHECK(table.policyOf("A").templateFile == "others2");
    CHECK(table.policyOf("D").templateFile == "d");
    REQUIRE(table.add("D", 0) != nullptr);
    CHECK(table.find("D")->id == 9);
    CHECK(saidOf(table) == "B b2;C c;A others2;D d;");
    // The id that an entry gave is remembered like any other.
    table.remove(*table.find("A"));
    REQUIRE(table.add("A", 0) != nullptr);
    CHECK(table.find("A")->id == 7);
    table.setPolicies({}, entry("*", "all"));
    CHECK(saidOf(table) == "B all;C all;A all;D all;");
}

TEST_CASE("an id that no entry fixes any more is given to another name in the end", "[hub][core]") {
    ServiceTable table({entry("A", "a", 1), entry("B", "b", 2)}, entry("*", "others"));
    table.setPolicies({entry("B", "b", 2)}, entry("*", "others"));
    CHECK(table.names() == 2);  // A is remembered
    for (std::size_t i = 0; i < ServiceTable::kRemembered; ++i) {
        Service* const other = table.add("S" + std::to_string(i), 0);
        REQUIRE(other != nullptr);
        table.remove(*other);
    }
    REQUIRE(table.add("X", 0) != nullptr);
    CHECK(table.find("X")->id == 1);
    REQUIRE(table.add("B", 0) != nullptr);
    CHECK(table.find("B")->id == 2);
}
