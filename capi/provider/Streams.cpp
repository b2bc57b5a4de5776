// capi/provider: keeps the indexes of open streams in step with the streams.
#include "provider/Streams.h"

namespace emissary::capi {

void Streams::note(StreamHandle handle, const Stream& stream) {
    if (Stream* const before = find(handle); before != nullptr && before->name == stream.name) {
        *before = stream;
        return;
    }
    forget(handle);  // a reissue has named another item
    all_[handle] = stream;
    try {
        byName_[stream.name].insert(handle);
        byClient_.emplace(stream.client, handle);
    } catch (...) {  // all have it, or none
        forget(handle);
        throw;
    }
}

void Streams::forget(StreamHandle handle) {
    const auto stream = all_.find(handle);
    if (stream == all_.end()) return;
    if (const auto named = byName_.find(stream->second.name); named != byName_.end()) {
        named->second.erase(handle);
        if (named->second.empty()) byName_.erase(named);
    }
    byClient_.erase({stream->second.client, handle});
    all_.erase(stream);
}

void Streams::forgetClient(StreamHandle client) {
    for (auto of = byClient_.lower_bound({client, 0}); of != byClient_.end() && of->first == client;
         of = byClient_.lower_bound({client, 0}))
        forget(of->second);
}

std::vector<std::pair<StreamHandle, Stream>> Streams::of(const ItemName& name) const {
    std::vector<std::pair<StreamHandle, Stream>> found;
    const auto named = byName_.find(name);
    if (named == byName_.end()) return found;
    found.reserve(named->second.size());
    for (const StreamHandle handle : named->second)
        found.emplace_back(handle, all_.at(handle));
    return found;
}

std::size_t Streams::count(std::uint16_t service, const char* item) const {
    if (item != nullptr) {
        const auto named = byName_.find({service, item});
        return named == byName_.end() ? 0 : named->second.size();
    }
    std::size_t streams = 0;
    for (auto named = byName_.lower_bound({service, {}}); named != byName_.end() && named->first.service == service;
         ++named)
        streams += named->second.size();
    return streams;
}

}  // namespace emissary::capi
