// Posts applied to the images of published services (hub.md 7.2).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "hub/core/Client.h"
#include "hub/core/Service.h"
#include "hub/flow/ItemFlow.h"
#include "hub/flow/Records.h"
#include "hub/post/OpenPosts.h"
#include "hub/post/PostedItems.h"
#include "hub/post/nak.h"

namespace emissary::hub::post {

/// A post as it came from a client. Borrows everything.
struct Posted {
    Client& client;
    const Msg& msg;
    Item* item = nullptr;  ///< null: off-stream
    /// Of the poster, for those who see what was posted.
    [[nodiscard]] std::uint32_t userAddress() const noexcept {
        return client.postAddress.value_or(msg.postUserAddress);
    }
};

/// Checks a post in full before anything of it is applied: what is refused has changed nothing. On the reactor's
/// thread.
class LocalPosts {
public:
    LocalPosts(ItemTable& items, flow::ItemFlow& flow, flow::Records& records, OpenPosts& open,
               PostedItems& posted) noexcept
        : items_(items), flow_(flow), records_(records), open_(open), posted_(posted) {}

    /// `hubId`: the hub's number for the post, should it go on to the publisher (ForwardPosts). The item may be gone
    /// when it returns.
    [[nodiscard]] Outcome take(const Posted& post, Service& service, std::uint32_t hubId);
    /// Values are checked by the types it gives; null: lengths and structure alone.
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        dictionary_ = std::move(dictionary);
    }
    /// Posts sent on to publishers so far.
    [[nodiscard]] std::uint64_t forwarded() const noexcept { return forwarded_; }

private:
    /// What a post says, whatever its form.
    struct Content {
        Msg msg;                   ///< refresh, update or status
        std::uint16_t rights = 0;  ///< of the poster
        bool permData = false;
    };
    [[nodiscard]] Outcome read(const Posted& post, const Service& service, Bytes payload, Content& out) const;
    [[nodiscard]] static Outcome namesItsItem(const Posted& post, const Content& content);
    /// The item there is, when it has been published or posted.
    [[nodiscard]] Item* known(const Posted& post, const Service& service);
    [[nodiscard]] bool live(const Item& item) const noexcept;
    [[nodiscard]] Outcome refresh(const Posted& post, Service& service, Content& content);
    [[nodiscard]] Outcome parts(const Posted& post, Service& service, OpenPost& open);
    [[nodiscard]] Outcome update(const Posted& post, Service& service, Content& content);
    [[nodiscard]] Outcome status(const Posted& post, Service& service, Content& content);
    /// The item that a refresh with an image of `bytes` bytes is for; null with the reason in `why`.
    [[nodiscard]] Item* target(const Posted& post, Service& service, const Content& content, std::size_t bytes,
                               Outcome& why);
    /// Upper estimate of the image's bytes after `bytes` more have been applied.
    [[nodiscard]] std::size_t sizeWith(const Item& item, const Msg& msg, std::size_t bytes);
    /// Whether the item (null: a new one) may have an image of `image` bytes.
    [[nodiscard]] Outcome mayHave(const Posted& post, const Item* item, std::size_t image) const;
    [[nodiscard]] Outcome apply(const Posted& post, Item& item, const Msg& msg, std::size_t image);
    void forward(const Posted& post, const Service& service, Item& item);

    ItemTable& items_;
    flow::ItemFlow& flow_;
    flow::Records& records_;
    OpenPosts& open_;
    PostedItems& posted_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    std::uint32_t hubId_ = 0;  // of the post under way
    std::uint64_t forwarded_ = 0;
};

}  // namespace emissary::hub::post
