// Checks the order of the parts of a post, and collects their payloads within a bound for each client.
#include "hub/post/OpenPosts.h"

#include <algorithm>

namespace emissary::hub::post {

using eta::codec::Msg;
namespace PostFlag = eta::codec::PostFlag;

OpenPosts::Taken OpenPosts::part(std::uint32_t client, const Msg& msg, std::uint32_t newHubId, OpenPost*& open) {
    if (clients_.size() <= client) clients_.resize(std::size_t{client} + 1);
    const Key key = keyOf(client, msg);
    if (msg.partNum == 0) {
        // A new first part gives up an unfinished post of the same id.
        end(client, msg);
        if (clients_[client].posts >= limit_) return Taken::full;
        open = &posts_.emplace(key, OpenPost{newHubId, 1, 0, {}}).first->second;
        ++clients_[client].posts;
        counts_.open = posts_.size();
        return Taken::ok;
    }
    const auto at = posts_.find(key);
    if (at == posts_.end() || at->second.nextPart != msg.partNum) return Taken::outOfOrder;
    open = &at->second;
    ++open->nextPart;
    return Taken::ok;
}

bool OpenPosts::collect(std::uint32_t client, OpenPost& open, eta::Bytes payload) {
    // Many small parts cost more than their bytes.
    const std::size_t cost = payload.size() + sizeof(std::vector<std::byte>);
    // In this order, because the difference cannot become negative.
    if (cost > limitBytes_ - std::min(clients_[client].bytes, limitBytes_)) return false;
    open.collected.emplace_back(payload.begin(), payload.end());
    open.bytes += cost;
    clients_[client].bytes += cost;
    return true;
}

void OpenPosts::end(std::uint32_t client, const Msg& msg) {
    const auto at = posts_.find(keyOf(client, msg));
    if (at == posts_.end()) return;
    --clients_[client].posts;
    clients_[client].bytes -= at->second.bytes;
    posts_.erase(at);
    counts_.open = posts_.size();
}

void OpenPosts::forgetClient(std::uint32_t client) noexcept {
    if (client >= clients_.size() || clients_[client].posts == 0) return;
    boost::unordered::erase_if(posts_, [client](const auto& post) { return post.first.client == client; });
    clients_[client] = {};
    counts_.open = posts_.size();
}

}  // namespace emissary::hub::post
