// Applies the application's directory messages, and closes or moves the items that they affect.
#include "provider/ProvidedServices.h"

namespace emissary::reactor {

using namespace eta::codec;

SubmitResult ProvidedServices::check(const Msg& m) {
    if (m.containerType != DataType::Map) return {SubmitFault::badDirectory, {Errc::unsupportedType, 0}, 0, 0};
    if (const Error e = rdm::Directory::check(m.payload); !e.ok()) return {SubmitFault::badDirectory, e, 0, 0};
    return {};
}

void ProvidedServices::apply(const Msg& m, const Session* onlyFor) {
    const rdm::ImagePart part = context_.options.directoryByUser ? rdm::ImagePart{} : rdm::partOf(m);
    onlyFor_ = onlyFor;
    static_cast<void>(directory_.applyImage(m.payload, part.first, part.last, this));  // checked
    onlyFor_ = nullptr;
}

template <class Affected>
void ProvidedServices::dropItems(Affected affected) {
    streams_.forEach([&](const Stream& s) {
        if (s.isItem() && affected(s)) streams_.drop(s.slot);
    });
}

void ProvidedServices::onServiceDeleted(const rdm::Service& service) {
    ownRequests_.endAllOf(service);
    dropItems([&](const Stream& s) { return s.is(Stream::hasService) && s.serviceId == service.id; });
}

void ProvidedServices::onServiceStatus(const rdm::Service& service, const State& state) {
    if (!state.isFinal()) return;
    dropItems([&](const Stream& s) { return s.is(Stream::hasService) && s.serviceId == service.id && isReached(s); });
}

void ProvidedServices::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    // The group's number, so that streams are compared by number and not by bytes.
    const auto from = streams_.groups.find(group);
    streams_.forEach([&](Stream& s) {
        if (s.isItem() && s.serviceId == service.id && rdm::ItemGroups::same(s.group, from) && isReached(s))
            streams_.groups.put(s.group, into);
    });
}

void ProvidedServices::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    if (!state.isFinal()) return;
    const auto id = streams_.groups.find(group);
    dropItems([&](const Stream& s) {
        return s.is(Stream::hasService) && s.serviceId == service.id && rdm::ItemGroups::same(s.group, id) &&
               isReached(s);
    });
}

}  // namespace emissary::reactor
