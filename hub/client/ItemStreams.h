// Streams of clients on items: opened, changed, closed (hub.md 5).
#pragma once

#include "hub/client/Admission.h"
#include "hub/client/OpenChecks.h"
#include "hub/client/Replies.h"
#include "hub/client/ServiceWaits.h"
#include "reactor/rdm/request_payload.h"

namespace emissary::hub::client {

class ItemStreams {
public:
    ItemStreams(Context& context, Replies& replies)
        : context_(context), replies_(replies), admission_(context),
          waits_(context, replies,
                 [this](Client& client, const Msg& m, const RequestPayload& payload, const PayloadError& fault,
                        std::uint16_t view) { (void)serve(client, m, m.streamId, payload, fault, view); }),
          checks_(context, replies,
                  [this](Client& client, const Msg& m, const RequestPayload& payload, const PayloadError& fault,
                         std::uint16_t view) { (void)serve(client, m, m.streamId, payload, fault, view); }) {}

    /// A request on a stream that is free. `payload` was read from the request (or, of an item of a batch, from the
    /// batch); a fault in it is answered in turn. `view`: the number of the payload's view where its batch has one; 0:
    /// it has none yet. False: it was refused.
    bool open(Client& client, const Msg& request, std::int32_t stream, const RequestPayload& payload,
              const PayloadError& fault, std::uint16_t view = 0);
    /// A request on the stream of an item. With `checked` the request's domain and key are the item's.
    enum class Key : bool { taken, compared };
    void reissue(Client& client, Item& item, const Msg& request, std::int32_t stream, const RequestPayload& payload,
                 const PayloadError& fault, Key key, std::uint16_t view = 0);
    /// The stream of an item is over, and the client knows.
    void leave(Client& client, std::int32_t stream);
    /// The stream of an item ends with a word on why.
    void end(Client& client, const Msg& request, std::int32_t stream, Reason reason, std::string_view why);
    /// The stream of an item ends since its user may not have the item any more; `why` may be empty.
    void withdraw(Client& client, std::int32_t stream, std::string_view why);
    /// How an open stream stands to the view that its login may have now.
    enum class Fit : std::uint8_t {
        fits,
        changed,  ///< it did not: it has another view from now on, and a refresh follows
        later,    ///< it does not: it is changed when the client's thread has taken what waits for it
    };
    [[nodiscard]] Fit fit(Client& client, std::int32_t stream);
    /// Drops the request on this stream that waits for its service or for its check. False if none waits.
    bool drop(Client& client, std::int32_t stream) noexcept {
        return waits_.drop(client, stream) || checks_.drop(client, stream);
    }
    /// None of the client's requests waits any more.
    void forget(Client& client) noexcept {
        waits_.forget(client);
        checks_.forget(client);
    }
    /// Requests whose service is not there yet.
    [[nodiscard]] ServiceWaits& waits() noexcept { return waits_; }
    static constexpr std::string_view kTooManyViews = "there are too many different views";

private:
    bool serve(Client& client, const Msg& request, std::int32_t stream, const RequestPayload& payload,
               const PayloadError& fault, std::uint16_t view);
    /// One reference to the payload's view; 0 when the client may not have one more: `why` says so.
    [[nodiscard]] std::uint16_t take(Client& client, const RequestPayload& payload, std::uint16_t view,
                                     std::string_view& why);
    /// What a stream gets, and what it was asked for with where that is another view: one reference each.
    struct Cut {
        HeldView view;
        std::optional<HeldView> asked;
    };
    /// Keeps what the stream was asked for with; the reference goes over. Throws std::bad_alloc, and it has not then.
    void keep(Client& client, std::int32_t stream, HeldView& asked);
    /// Cuts `asked` to what the login may have; nothing when the item (null: it is not there yet) may not have one more
    /// view: `why` says so.
    [[nodiscard]] std::optional<Cut> cut(const Client& client, const Item* item, HeldView asked, std::string_view& why);
    /// The reissue gets the view; what the stream was asked for with is kept.
    void change(Client& client, std::int32_t stream, Cut& cut, flow::Reissue& reissue);
    /// What a request would change of the stream that must stay; null when nothing.
    [[nodiscard]] const char* changeOf(const Client& client, const Item& item, const Msg& request) const noexcept;
    [[nodiscard]] static Reason reasonOf(PayloadFault fault) noexcept;
    void noteSameItem(const Client& client, std::int32_t stream);
    void tellWaiting(Client& client, const Msg& request, std::int32_t stream);

    Context& context_;
    Replies& replies_;
    Admission admission_;
    ServiceWaits waits_;
    OpenChecks checks_;
};

}  // namespace emissary::hub::client
