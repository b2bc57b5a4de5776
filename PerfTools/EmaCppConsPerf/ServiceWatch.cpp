// Reads service names, states and capabilities from the directory.
#include "ServiceWatch.h"

namespace emissary::perf {

using namespace refinitiv::ema;
using namespace refinitiv::ema::access;

bool ServiceWatch::listsTunnels(const ElementEntry& capabilities) {
    if (capabilities.getLoadType() != DataType::ArrayEnum) return false;
    const OmmArray& domains = capabilities.getArray();
    while (domains.forth()) {
        const OmmArrayEntry& domain = domains.getEntry();
        // MMT_SYSTEM among the capabilities is how a provider says that it takes tunnel streams (tunnel.md).
        if (domain.getLoadType() == DataType::UIntEnum && domain.getCode() != Data::BlankEnum &&
            domain.getUInt() == rdm::MMT_SYSTEM)
            return true;
    }
    return false;
}

void ServiceWatch::applyService(Service& service, const FilterList& filters) {
    while (filters.forth()) {
        const FilterEntry& filter = filters.getEntry();
        if (filter.getLoadType() != DataType::ElementListEnum) continue;
        const ElementList& elements = filter.getElementList();
        while (elements.forth()) {
            const ElementEntry& element = elements.getEntry();
            // A blank value keeps what an earlier message said.
            if (element.getCode() == Data::BlankEnum) continue;
            const EmaString& name = element.getName();
            if (filter.getFilterId() == rdm::SERVICE_INFO_ID && name == rdm::ENAME_NAME)
                service.name = element.getAscii().c_str();
            else if (filter.getFilterId() == rdm::SERVICE_INFO_ID && name == rdm::ENAME_CAPABILITIES)
                service.tunnels = listsTunnels(element);
            else if (filter.getFilterId() == rdm::SERVICE_STATE_ID && name == rdm::ENAME_SVC_STATE)
                service.up = element.getUInt() == rdm::SERVICE_UP;
            else if (filter.getFilterId() == rdm::SERVICE_STATE_ID && name == rdm::ENAME_ACCEPTING_REQS)
                service.accepting = element.getUInt() != 0;
        }
    }
}

void ServiceWatch::apply(const Payload& payload) {
    if (payload.getDataType() != DataType::MapEnum) return;
    const Map& map = payload.getMap();
    while (map.forth()) {
        const MapEntry& entry = map.getEntry();
        if (entry.getKey().getDataType() != DataType::UIntEnum) continue;
        const std::uint64_t id = entry.getKey().getUInt();
        if (entry.getAction() == MapEntry::DeleteEnum) {
            services_.erase(id);
            continue;
        }
        Service& service = services_[id];
        if (entry.getLoadType() == DataType::FilterListEnum) applyService(service, entry.getFilterList());
        // Stored before ready_: a worker that sees the service ready also sees its number.
        if (service.name == name_) id_.store(static_cast<std::uint32_t>(id), std::memory_order_release);
    }
    // Name again: an id may have gone to another service since it was stored.
    const auto it = services_.find(this->id());
    ready_.store(it != services_.end() && it->second.name == name_ && it->second.up && it->second.accepting &&
                     (!forTunnels_ || it->second.tunnels),
                 std::memory_order_release);
}

}  // namespace emissary::perf
