// Which texts JSON clients of an item want on several fronts, and the texts of its messages.
#pragma once

#include "hub/fanout/RateClasses.h"
#include "hub/fanout/SharedTexts.h"
#include "hub/relay/ItemSides.h"
#include "reactor/rdm/DirectoryNames.h"

#include <memory>
#include <vector>

namespace emissary::hub::relay {

/// Makes each text once for all fronts, and only when JSON clients of more than one have the item: a single front makes
/// what its clients need. Not at all where updates wait at the fronts for an interval, since most texts would be for
/// nothing. Stage thread only.
class ItemTexts {
public:
    /// Borrows the views and the count.
    ItemTexts(const ViewTable& views, const fanout::RateRules& rates, fanout::Rendered& rendered);

    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
        maker_.setDictionary(std::move(dictionary));
    }
    /// Names of services are those that the fronts have.
    void directoryChanged(eta::Bytes map) { static_cast<void>(directory_.apply(map, false)); }

    /// The item has got this mount. Throws std::bad_alloc.
    void mounted(const Item& item, ItemSide& side, const Mount& mount, const Client& client);
    /// Notes in the side, after its text members were cleared, that the item has this mount still.
    void note(ItemSide& side, const Mount& mount, const Client& client) const noexcept;
    /// The texts of the encoded message, which is the item's; valid until the next call. Throws std::bad_alloc.
    [[nodiscard]] const fanout::TextMaker& make(const Item& item, const ItemSide& side, eta::Bytes message,
                                                TurnBudget& work);

private:
    /// Of a view of the item.
    struct Viewed {
        std::uint16_t view = 0;
        std::uint8_t number = 0;  // of a bit of ItemSide::texts
        bool operator==(const Viewed&) const = default;
    };

    const ViewTable& views_;
    const bool shares_;
    reactor::rdm::Directory directory_;
    const reactor::rdm::DirectoryNames names_{&directory_};
    fanout::TextMaker maker_;
    reactor::ItemMap<std::uint32_t, std::vector<Viewed>> viewed_;  // by item; means nothing without viewedTexts
};

}  // namespace emissary::hub::relay
