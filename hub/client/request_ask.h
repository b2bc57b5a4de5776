// What a RequestCheck is asked about requests and mounts.
#pragma once

#include "hub/client/RequestCheck.h"
#include "hub/core/Client.h"
#include "hub/core/Item.h"
#include "hub/core/Service.h"

namespace emissary::hub::client {

/// The views borrow all arguments.
[[nodiscard]] inline RequestAsk askOf(const Client& client, const Service& service, const eta::codec::MsgKey& key,
                                      std::uint8_t domain, bool isPrivate) noexcept {
    RequestAsk ask;
    ask.user = client.user;
    ask.position = client.position;
    ask.application = client.application;
    ask.groups = client.groups;
    ask.service = service.name;
    ask.name = eta::asText(key.name);
    if (key.has(eta::codec::KeyFlag::nameType)) ask.nameType = key.nameType;
    ask.domain = domain;
    ask.isPrivate = isPrivate;
    return ask;
}

[[nodiscard]] inline RequestAsk askOf(const Client& client, const Service& service, const Msg& request) noexcept {
    return askOf(client, service, request.key, request.domain, request.has(eta::codec::RequestFlag::privateStream));
}

/// The permission data that the hub has; null: it has no such item.
[[nodiscard]] inline std::span<const std::byte> permDataOf(const Item* item) noexcept {
    if (item == nullptr || !item->extras) return {};
    return item->extras->permData;
}

}  // namespace emissary::hub::client
