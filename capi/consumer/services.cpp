// Reads the refresh of a directory: names and states of services.
#include "consumer/services.h"

#include "calls/calls.h"

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

namespace emissary::capi {
namespace {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// The unsigned element of this name, or what it is without one.
UInt64 number(const ElementList& elements, const char* name, UInt64 otherwise) {
    elements.reset();
    while (elements.forth()) {
        const auto& element = elements.getEntry();
        if (element.getName() == name && element.getLoadType() == DataType::UIntEnum &&
            element.getCode() != Data::BlankEnum)
            return element.getUInt();
    }
    return otherwise;
}

/// Whether the entry says which service it is about, and does not take it away: a deleted one has no name and no state
/// to show.
bool isService(const MapEntry& entry) {
    const Key& key = entry.getKey();
    return entry.getAction() != MapEntry::DeleteEnum && key.getDataType() == DataType::UIntEnum &&
           key.getData().getCode() != Data::BlankEnum && key.getUInt() <= 0xFFFF;
}

/// A name or a state that is blank or cannot be decoded is missing: the service has none, and counts as down.
Service read(const MapEntry& entry) {
    Service service;
    service.id = static_cast<std::uint32_t>(entry.getKey().getUInt());
    if (entry.getLoadType() != DataType::FilterListEnum) return service;
    const auto& filters = entry.getFilterList();
    while (filters.forth()) {
        const auto& filter = filters.getEntry();
        if (filter.getLoadType() != DataType::ElementListEnum) continue;
        const auto& elements = filter.getElementList();
        if (filter.getFilterId() == SERVICE_STATE_ID)
            // Without AcceptingRequests a service accepts: the element is optional.
            service.up = number(elements, "ServiceState", 0) != 0 && number(elements, "AcceptingRequests", 1) != 0;
        if (filter.getFilterId() != SERVICE_INFO_ID) continue;
        while (elements.forth())
            if (const auto& element = elements.getEntry(); element.getName() == "Name" &&
                                                           element.getLoadType() == DataType::AsciiEnum &&
                                                           element.getCode() != Data::BlankEnum)
                service.name = element.getAscii().c_str();
    }
    return service;
}

/// Collects the parts of the refresh.
class Directory final : public OmmConsumerClient {
public:
    std::vector<Service> services;
    bool complete = false, ended = false;
    std::string text;  ///< of the status that has ended it
    std::exception_ptr failed;

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        try {
            if (msg.getPayload().getDataType() == DataType::MapEnum) {
                const auto& map = msg.getPayload().getMap();
                while (map.forth())
                    if (isService(map.getEntry())) services.push_back(read(map.getEntry()));
            }
        } catch (...) {
            failed = std::current_exception();  // nothing may be thrown through the library
        }
        complete = msg.getComplete();
        end(msg.getState());
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        if (msg.hasState()) end(msg.getState());
    }
    /// A stream that has ended brings no directory: waiting for one would be for nothing.
    void end(const OmmState& state) {
        if (complete || state.getStreamState() == OmmState::OpenEnum ||
            state.getStreamState() == OmmState::NonStreamingEnum)
            return;
        ended = true;
        text = state.getStatusText().c_str();
    }
};

}  // namespace

std::vector<Service> servicesOf(OmmConsumer& consumer, std::chrono::milliseconds patience) {
    using Clock = std::chrono::steady_clock;
    Directory directory;
    const UInt64 handle = consumer.registerClient(
        ReqMsg().domainType(MMT_DIRECTORY).filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER), directory);
    // The wait ends by the clock and not by the number of dispatches: other streams' messages do not shorten it.
    const auto end = Clock::now() + patience;
    try {
        while (!directory.complete && !directory.ended && Clock::now() < end)
            consumer.dispatch(std::max<std::int64_t>(
                0, std::chrono::duration_cast<std::chrono::microseconds>(end - Clock::now()).count()));
    } catch (...) {  // `directory` goes, and nothing may be left that calls it
        consumer.unregister(handle);
        throw;
    }
    if (!directory.ended) consumer.unregister(handle);
    if (directory.failed) std::rethrow_exception(directory.failed);
    if (directory.ended)
        throw Failure(EMI_E_DIRECTORY, "the directory was refused: " +
                                           (directory.text.empty() ? "the provider gives no reason" : directory.text));
    if (!directory.complete)
        throw Failure(EMI_E_DIRECTORY, "no directory came in " + std::to_string(patience.count()) + " ms");
    return std::move(directory.services);
}

}  // namespace emissary::capi
