// Applies the application's directory messages, and closes or moves the items that they affect.
#include "provider/ProvidedServices.h"

#include <unordered_map>
#include <utility>
#include <vector>

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
    said_.clear();
    static_cast<void>(directory_.applyImage(m.payload, part.first, part.last, this));  // checked
    if (!said_.empty()) carryOut();
    onlyFor_ = nullptr;
}

/// In the order in which it was said: a group that has become a part of another ends with that one.
void ProvidedServices::carryOut() {
    using Handles = std::vector<std::uint64_t>;
    // Of the services that the message is about; the streams of each by the numbers of their groups.
    std::unordered_map<std::uint16_t, std::unordered_map<rdm::ItemGroups::Number, Handles>> items;
    for (const Said& said : said_)
        items.try_emplace(said.service);
    streams_.forEach([&](const Stream& s) {
        if (!s.isItem() || !s.is(Stream::hasService)) return;
        if (const auto of = items.find(s.serviceId); of != items.end())
            of->second[s.group].push_back(streams_.handleOf(s.slot));
    });
    const auto drop = [&](Handles& handles, bool all) {
        std::erase_if(handles, [&](std::uint64_t handle) {
            const Stream* const s = streams_.find(handle);
            if (s != nullptr && !all && !isReached(*s)) return false;
            if (s != nullptr) streams_.drop(s->slot);
            return true;
        });
    };
    for (const Said& said : std::exchange(said_, {})) {
        auto& groups = items[said.service];
        if (said.kind == Said::Kind::deleted || said.kind == Said::Kind::ended) {
            for (auto& [number, handles] : groups)
                drop(handles, said.kind == Said::Kind::deleted);
            continue;
        }
        // Streams are compared by the group's number and not by bytes; those of kUnknown are of several groups.
        const auto number = streams_.groups.find(said.group);
        const auto at = number == rdm::ItemGroups::kUnknown ? groups.end() : groups.find(number);
        if (at == groups.end()) continue;
        if (said.kind == Said::Kind::groupEnded) {
            drop(at->second, false);
            continue;
        }
        Handles staying;
        for (const std::uint64_t handle : std::exchange(at->second, {})) {
            Stream* const s = streams_.find(handle);
            if (s == nullptr) continue;
            if (isReached(*s)) streams_.groups.put(s->group, said.into);
            (isReached(*s) ? groups[s->group] : staying).push_back(handle);
        }
        if (!staying.empty()) {
            Handles& back = groups[number];
            back.insert(back.end(), staying.begin(), staying.end());
        }
    }
}

void ProvidedServices::onServiceDeleted(const rdm::Service& service) {
    ownRequests_.endAllOf(service);
    said_.push_back({Said::Kind::deleted, service.id, {}, {}});
}

void ProvidedServices::onServiceStatus(const rdm::Service& service, const State& state) {
    if (state.isFinal()) said_.push_back({Said::Kind::ended, service.id, {}, {}});
}

void ProvidedServices::onGroupMerged(const rdm::Service& service, Bytes group, Bytes into) {
    said_.push_back({Said::Kind::groupMerged, service.id, {group.begin(), group.end()}, {into.begin(), into.end()}});
}

void ProvidedServices::onGroupStatus(const rdm::Service& service, Bytes group, const State& state) {
    if (state.isFinal()) said_.push_back({Said::Kind::groupEnded, service.id, {group.begin(), group.end()}, {}});
}

}  // namespace emissary::reactor
