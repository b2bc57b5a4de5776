// Messages of sources: to the image, the record, the mounts (hub.md 5.2, 5.3, 6.2).
#pragma once

#include "hub/flow/Ends.h"

namespace emissary::hub::flow {

class Inbound {
public:
    Inbound(Rooms& rooms, Images& images, Ends& ends, Counts& counts) noexcept
        : rooms_(rooms), images_(images), ends_(ends), counts_(counts) {}

    void received(Item& item, const Msg& msg);
    /// The image as an unsolicited refresh for everybody.
    void sendImage(Item& item);

private:
    void refresh(Item& item, const Msg& msg);
    void update(Item& item, const Msg& msg);
    void status(Item& item, const Msg& msg);
    /// False: the item has become Suspect and may be gone.
    [[nodiscard]] bool apply(Item& item, const Msg& msg, bool replace);
    /// True: the message goes on to the image and the mounts. Otherwise a part before it is missing: the item becomes
    /// Suspect, or has become so, and may be gone.
    [[nodiscard]] bool inOrder(Item& item, const Msg& refresh);
    void partMissing(Item& item, const Msg& msg, std::string_view why);
    /// What came of the refresh under way is no image, and no part of it is shown any more.
    void giveUp(Item& item) noexcept;
    /// What the record keeps of a refresh or an update.
    void note(Item& item, const Msg& msg);
    void noteSeqNum(Item& item, const Msg& msg);
    /// Mounts that wait, with this refresh or the image; those that are served by it wait no more.
    void serveWaiting(Item& item, const Msg& forward, bool first, bool fromImage);
    [[nodiscard]] static bool anyWaits(const Item& item) noexcept;
    /// After a complete refresh: what the item's supply is to do for mounts that are left, or for none.
    void askAgain(Item& item, const Msg& msg, bool watched);
    void untrusted(Item& item, std::uint8_t code, std::string_view why);
    /// As it came, but for what is different on the wires of clients.
    [[nodiscard]] Msg& forward(const Item& item, const Msg& msg);

    Rooms& rooms_;
    Images& images_;
    Ends& ends_;
    Counts& counts_;
    Headers headers_;
    Msg forward_;
};

}  // namespace emissary::hub::flow
