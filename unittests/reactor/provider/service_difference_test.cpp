// What makes services of one name one service.
#include "reactor/rdm/service_difference.h"

#include "support/catch.hpp"

using namespace emissary::reactor::rdm;
namespace D = ServiceDifference;

namespace {

ServiceInfo info() {
    ServiceInfo i;
    i.name = "DIRECT_FEED";
    i.vendor = "one";
    i.capabilities = {6, 7, 10};
    i.itemList = "_LIST";
    i.qos = {{1, 1, false, 0, 0}, {2, 2, false, 0, 0}};
    i.dictionariesProvided = {{"RWFFld", "RWFEnum"}};
    i.dictionariesUsed = {{"RWFFld", "RWFEnum"}};
    return i;
}

}  // namespace

TEST_CASE("services of one name are compared element by element", "[reactor][rdm]") {
    const ServiceInfo a = info();
    ServiceInfo b = info();
    CHECK(differences(a, b) == 0);
    CHECK(firstDifference(0).empty());
    SECTION("the order of domains and dictionaries, and the vendor, do not matter") {
        b.capabilities = {10, 6, 7};
        b.dictionariesUsed = {{"RWFEnum", "RWFFld"}};
        b.dictionariesProvided = {{"RWFEnum", "RWFFld"}};
        b.vendor = "two";
        CHECK(differences(a, b) == 0);
    }
    SECTION("each element alone") {
        b.capabilities.push_back(5);
        CHECK(differences(a, b) == D::capabilities);
        CHECK(firstDifference(D::capabilities) == "Capabilities");
        b = info();
        b.itemList.reset();
        CHECK(differences(a, b) == D::itemList);
        CHECK(firstDifference(D::itemList) == "ItemList");
        b = info();
        std::swap(b.qos[0], b.qos[1]);
        CHECK(differences(a, b) == D::qos);
        CHECK(firstDifference(D::qos) == "QoS");
        b = info();
        b.dictionariesProvided.reset();
        CHECK(differences(a, b) == D::dictionariesProvided);
        CHECK(firstDifference(D::dictionariesProvided) == "DictionariesProvided");
        b = info();
        b.dictionariesUsed->pop_back();
        CHECK(differences(a, b) == D::dictionariesUsed);
        CHECK(firstDifference(D::dictionariesUsed) == "DictionariesUsed");
    }
    SECTION("several: the mask has all, the text the first") {
        b.qos.clear();
        b.itemList = "_OTHER";
        CHECK(differences(a, b) == (D::qos | D::itemList));
        CHECK(firstDifference(differences(a, b)) == "ItemList");
    }
    SECTION("what is absent equals its default") {
        ServiceInfo x, y;
        y.itemList = "";
        y.dictionariesUsed = std::vector<std::string>{};
        y.qos = {{1, 1, false, 0, 0}};
        CHECK(differences(x, y) == 0);
        CHECK(differences(y, x) == 0);
    }
}
