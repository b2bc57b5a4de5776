// Checks the order of the parts of a post, and collects their payloads within a bound for each client.
#include "hub/post/OpenPosts.h"

#include <algorithm>

namespace emissary::hub::post {

using eta::codec::Msg;
namespace PostFlag = eta::codec::PostFlag;

OpenPosts::Taken OpenPosts::part(std::uint32_t client, const Msg& msg, std::uint32_t newHubId, OpenPost*& open) {
    if (clients_.size() <= client) clients_.resize(std::size_t{client} + 1);
    const Key key = keyOf(msg);
    auto& posts = clients_[client].posts;
    if (msg.partNum == 0) {
        // A new first part gives up an unfinished post of the same id.
        end(client, msg);
        if (posts.size() >= limit_) return Taken::full;
        open = &posts.emplace(key, OpenPost{newHubId, 1, 0, {}}).first->second;
        count(size_ + 1);
        return Taken::ok;
    }
    const auto at = posts.find(key);
    if (at == posts.end() || at->second.nextPart != msg.partNum) return Taken::outOfOrder;
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
    if (client >= clients_.size()) return;
    PerClient& of = clients_[client];
    const auto at = of.posts.find(keyOf(msg));
    if (at == of.posts.end()) return;
    of.bytes -= at->second.bytes;
    of.posts.erase(at);
    if (of.posts.empty() && of.posts.bucket_count() > kPlacesKept) of.posts = {};
    count(size_ - 1);
}

void OpenPosts::forgetClient(std::uint32_t client) noexcept {
    if (client >= clients_.size() || clients_[client].posts.empty()) return;
    count(size_ - clients_[client].posts.size());
    clients_[client] = {};
}

}  // namespace emissary::hub::post
