// Mounts that come, change and go (hub.md 5.2, 5.5).
#pragma once

#include "hub/flow/Ends.h"

namespace emissary::hub::flow {

class Joins {
public:
    Joins(Rooms& rooms, Images& images, Ends& ends, Counts& counts) noexcept
        : rooms_(rooms), images_(images), ends_(ends), counts_(counts) {}

    [[nodiscard]] bool join(Client& client, std::int32_t stream, const JoinRequest& request);
    void reissue(Client& client, std::int32_t stream, const Reissue& reissue);
    void leave(Client& client, std::int32_t stream);
    void settle(Client& client, std::int32_t stream, bool resumed, bool image);
    void awaitImage(Item& item) noexcept;
    void goOnWithoutImage(Item& item);
    [[nodiscard]] bool renew(Item& item, bool state, const std::function<bool(const Client&)>& lacks);
    void renewed(Item& item);
    [[nodiscard]] Item* take(Service& service, std::uint8_t domain, const eta::codec::MsgKey& key, bool shared);

private:
    /// Puts the mount where it belongs, among those that updates are looked at for or among the others.
    Mount& place(Item& item, Mount& mount) noexcept;
    void mount(Item& item, Client& client, std::int32_t stream, std::uint16_t flags, std::uint16_t view);
    static void keepRequest(Item& item, const Msg& request);
    /// A request without a priority leaves the one that the mount has.
    static void keepPriority(Item& item, const Client& client, std::int32_t stream, const Msg& request);
    [[nodiscard]] static bool wantsMore(const Item& item, const Mount& mount) noexcept;
    /// The mount needs a refresh: from the image at once, or by way of the supply. `solicited`: its client asked for
    /// it.
    void serve(Service& service, Item& item, Client& client, std::int32_t stream, bool solicited);
    void left(Item& item);
    /// The mounts of these clients that get updates have a hole, and wait for a refresh.
    void breakOff(Item& item, const std::function<bool(const Client&)>& lacks);

    Rooms& rooms_;
    Images& images_;
    Ends& ends_;
    Counts& counts_;
    Headers headers_;
};

}  // namespace emissary::hub::flow
