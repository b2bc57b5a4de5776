// Compares what services say about capabilities, QoS, item lists and dictionaries, whatever the order.
#include "reactor/rdm/service_difference.h"

#include <algorithm>

namespace emissary::reactor::rdm {

namespace {

using Names = std::optional<std::vector<std::string>>;

/// The same elements, in whatever order.
template <class T>
bool sameSet(std::vector<T> a, std::vector<T> b) {
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    return a == b;
}

bool sameNames(const Names& a, const Names& b) {
    static const std::vector<std::string> kNone;
    return sameSet(a ? *a : kNone, b ? *b : kNone);
}

bool sameQos(const std::vector<Qos>& a, const std::vector<Qos>& b) {
    const std::vector<Qos> none{eta::codec::kRealtimeTickByTick};
    const std::vector<Qos>&x = a.empty() ? none : a, &y = b.empty() ? none : b;
    return std::equal(x.begin(), x.end(), y.begin(), y.end(), equal);
}

}  // namespace

std::uint32_t differences(const ServiceInfo& a, const ServiceInfo& b) {
    namespace D = ServiceDifference;
    std::uint32_t found = 0;
    if (!sameSet(a.capabilities, b.capabilities)) found |= D::capabilities;
    if (a.itemList.value_or("") != b.itemList.value_or("")) found |= D::itemList;
    if (!sameQos(a.qos, b.qos)) found |= D::qos;
    if (!sameNames(a.dictionariesProvided, b.dictionariesProvided)) found |= D::dictionariesProvided;
    if (!sameNames(a.dictionariesUsed, b.dictionariesUsed)) found |= D::dictionariesUsed;
    return found;
}

std::string_view firstDifference(std::uint32_t differences) noexcept {
    namespace D = ServiceDifference;
    if ((differences & D::capabilities) != 0) return "Capabilities";
    if ((differences & D::itemList) != 0) return "ItemList";
    if ((differences & D::qos) != 0) return "QoS";
    if ((differences & D::dictionariesProvided) != 0) return "DictionariesProvided";
    if ((differences & D::dictionariesUsed) != 0) return "DictionariesUsed";
    return {};
}

}  // namespace emissary::reactor::rdm
