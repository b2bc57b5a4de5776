// Messages of clients about items, one by one.
#pragma once

#include "hub/client/Batches.h"

namespace emissary::hub::client {

class ItemMessages {
public:
    explicit ItemMessages(Context& context) noexcept : context_(context) {}

    /// Of a client that is logged in, on a stream that is none of its login, directories and dictionaries. False:
    /// there is no such stream, and nothing has happened.
    bool onMessage(Client& client, const Msg& message);
    /// One step of the client's batch that is under way.
    void goOn(Client& client) { batches_.goOn(client); }
    /// The client's stream on an item is over.
    void leave(Client& client, std::int32_t stream) { streams_.leave(client, stream); }
    /// The client may not have the item of this stream any more.
    void withdraw(Client& client, std::int32_t stream, std::string_view why) { streams_.withdraw(client, stream, why); }
    /// Brings the stream of an item to what its login may have of it now.
    [[nodiscard]] ItemStreams::Fit fit(Client& client, std::int32_t stream) { return streams_.fit(client, stream); }
    /// The client's batch goes no further, and none of its requests waits.
    void forget(Client& client) noexcept {
        batches_.forget(client);
        streams_.forget(client);
    }
    /// There is a service more, and clients know.
    void serviceCame(const Service& service) { streams_.waits().serviceCame(service); }
    void defaultServiceChanged(const std::string& was) { streams_.waits().defaultChanged(was); }

private:
    void onRequest(Client& client, const Msg& request);
    [[nodiscard]] bool onClose(Client& client, const Msg& close);

    Context& context_;
    Replies replies_{context_};
    ItemStreams streams_{context_, replies_};
    Batches batches_{context_, replies_, streams_};
};

}  // namespace emissary::hub::client
