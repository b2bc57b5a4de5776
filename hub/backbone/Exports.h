// Services of this hub for the other hubs of its mesh (hub.md 12).
#pragma once

#include "eta/core/GrowingBuffer.h"
#include "hub/backbone/ExportRates.h"
#include "hub/config/HubSettings.h"
#include "hub/core/ItemTable.h"
#include "hub/mesh/Numbered.h"
#include "hub/mesh/Owner.h"
#include "hub/nats/MeshMember.h"
#include "hub/post/PostRouter.h"
#include "hub/post/nak.h"
#include "hub/sink/ItemFeed.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace emissary::hub::backbone {

/// Opens an item when the first hub wants it, and passes its messages on until nobody does. Images come from the hub's
/// cache, and from the source where it keeps none. Only what this hub has from a source of its own goes out: an item
/// that other hubs serve here ends for them. Posts of other hubs go to the post room as those of one client, on the
/// streams of the feed or off-stream; generic messages go both ways on items. Groups and private streams stay here.
/// Updates of services with ExportConflation go at the rate of that (ExportRates), in front of whatever else the item
/// says, images for hubs that come later among it.
/// Stage thread, with the session lock held.
class Exports final : public mesh::OwnItems, public mesh::PostTaker, private sink::FeedHandler {
public:
    Exports(reactor::Reactor& reactor, ItemTable& items, const sink::FeedRooms& rooms, post::PostRouter& posts,
            const MeshSettings& settings, ExportRules rates);
    ~Exports();
    Exports(const Exports&) = delete;
    Exports& operator=(const Exports&) = delete;

    /// Before anything else; it outlives stop().
    void use(nats::MeshMember& member);
    /// Streams end, and nobody hears of it.
    void stop();
    /// Tells the other hubs what has become of the services.
    void look();
    /// Other hubs are to have the services from other owners from now on, where there are any.
    void leave();
    /// Whether another owner could serve items that other hubs still have from here.
    [[nodiscard]] bool handingOver() const;
    /// Services have these rules from now on; what waits goes out first. Throws std::bad_alloc.
    void changeRates(ExportRules rules);
    /// What may be joined.
    void setDictionary(const std::shared_ptr<const eta::dictionary::Dictionary>& dictionary) {
        rates_.setDictionary(dictionary);
    }
    [[nodiscard]] const ExportRates& rates() const noexcept { return rates_; }
    /// Other hubs have the item from here.
    [[nodiscard]] bool serves(const Item& item) const noexcept;
    /// Items that other hubs have from here.
    [[nodiscard]] std::size_t items() const noexcept { return own_.size(); }

private:
    /// An item that other hubs want.
    struct Own {
        std::string service, name;  ///< packed (packName())
        bool image = false;         ///< a complete refresh has come
        bool ending = false;        ///< it ends in the next turn
        std::uint8_t rateClass = ExportRates::kAsTheyCome;
    };
    // --- mesh::OwnItems
    bool wanted(std::uint32_t number, std::string_view service, std::string_view name) override;
    void writeImage(std::uint32_t number, eta::BeWriter& out) override;
    void unwanted(std::uint32_t number) override;
    // --- mesh::PostTaker
    void posted(const mesh::PostedFar& post) override;
    // --- sink::FeedHandler: stream n is item n, stream -n an image of it alone
    void onMessage(const Item& item, const Msg& msg) override;
    void onEnd(std::int32_t stream) noexcept override;
    void onLost(std::int32_t stream) noexcept override;
    void onAck(const Msg& ack) noexcept override;

    /// A post as this hub's post room has it: id, and sequence number.
    struct PostKey {
        std::uint32_t id = 0, seqNum = 0;
        bool hasSeqNum = false;
        friend auto operator<=>(const PostKey&, const PostKey&) = default;
    };
    /// Of a post that comes in parts: the node, its number of the item, the id there.
    using PartsKey = std::array<std::uint32_t, 3>;
    struct Parts {
        std::uint32_t id = 0;  ///< here
        std::int32_t stream = 0;
        reactor::TimePoint since{};
    };
    void handOn(const mesh::PostedFar& post);
    void handOnGeneric(const mesh::PostedFar& post, std::string_view ofService, Msg& msg);
    void answer(const mesh::PostedFar& post, post::Nak nak, std::string_view text);
    [[nodiscard]] std::uint32_t newPostId() noexcept { return ++lastPost_ != 0 ? lastPost_ : ++lastPost_; }
    /// False: too many posts are unfinished.
    [[nodiscard]] bool idOf(const mesh::PostedFar& post, Msg& msg);
    void giveUpParts();
    void partsEnd(std::uint32_t node) noexcept;

    /// That its stream is on; null: it has none.
    [[nodiscard]] Item* itemOf(std::uint32_t number) const noexcept;
    /// The same of a number that came from another hub; null also where the item is not open here.
    [[nodiscard]] Item* openItem(std::uint32_t number) const noexcept;
    /// A service that other hubs may have from here now; null: there is none.
    [[nodiscard]] const Service* given(std::string_view service) const;
    [[nodiscard]] std::optional<sink::FeedRequest> requestOf(std::string_view service, std::string_view name,
                                                             eta::codec::MsgKey& key);
    [[nodiscard]] std::uint8_t rateClassOf(std::string_view service) const noexcept;
    void pass(std::uint32_t number, const Msg& msg);
    void closeFeed(std::uint32_t number);
    /// It is open no more.
    void forget(std::uint32_t number) noexcept;
    /// The item ends for the other hubs, who may find another owner for it.
    void endSoon(std::uint32_t number);
    void endNow();

    reactor::Reactor& reactor_;
    ItemTable& items_;
    const sink::FeedRooms rooms_;
    post::PostRouter& posts_;
    const MeshSettings& settings_;
    nats::MeshMember* member_ = nullptr;
    std::unique_ptr<sink::ItemFeed> feed_;
    mesh::Numbered<Own> own_;
    std::vector<std::uint32_t> ending_;
    std::vector<std::string> offered_;
    ExportRates rates_;
    eta::GrowingBuffer buffer_{4096}, last_{256};
    eta::BeWriter* image_ = nullptr;                           // inside writeImage()
    bool captured_ = false;                                    // a part of an image has come
    bool closing_ = false;                                     // inside a close of ours
    std::uint32_t opening_ = 0;                                // inside wanted()
    bool ended_ = false;                                       // and the stream is over again
    std::map<std::string, std::size_t, std::less<>> itemsOf_;  ///< of these, by service
    bool leaves_ = false;
    static constexpr std::uint32_t kMostParts = 10'000;           // posts that are unfinished
    static constexpr std::uint32_t kMostOfNode = kMostParts / 8;  // of these, from one node: others have room
    static constexpr auto kPartsLast = std::chrono::seconds(60);  // without a further part
    eta::GrowingBuffer inner_{4096}, post_{4096};
    std::map<PostKey, mesh::PostRef> waiting_;
    std::map<PartsKey, Parts> parts_;
    std::map<std::uint32_t, std::uint32_t> partsOf_;  // by node; none has 0
    std::uint32_t lastPost_ = 0;
    PostKey current_;       // of the post that is being handed on
    bool handing_ = false;  // and it has not been answered
    mesh::PostRef currentRef_;
    reactor::TimerId endTimer_ = 0;
};

}  // namespace emissary::hub::backbone
