// Texts of one message for JSON clients, made once by the thread that has the items and read by all that serve clients.
#pragma once

#include "eta/json/Converter.h"
#include "hub/core/TurnBudget.h"
#include "hub/core/ViewTable.h"
#include "hub/fanout/ViewFilter.h"
#include "hub/fanout/fanout_counts.h"
#include "hub/fanout/forms.h"
#include "reactor/GrowingBuffer.h"

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

namespace emissary::hub::fanout {

/// What TextMaker wrote, as another thread reads it. Borrows the bytes.
class SharedTexts {
public:
    /// In front of each text, which begins behind the digits of its id. No bytes: the view leaves nothing of the
    /// update.
    struct Head {
        std::uint16_t view = 0, form = 0;
        std::uint32_t length = 0;
    };

    SharedTexts() = default;
    /// `views`: numbers that the maker has for the reader's views, by the reader's number - 1.
    SharedTexts(const std::byte* at, std::size_t count, const std::vector<std::uint16_t>& views) noexcept
        : at_(at), count_(count), views_(&views) {}

    /// For that view of the reader, 0 for none; nothing when the reader has to make the text.
    [[nodiscard]] std::optional<eta::Bytes> find(std::uint16_t view, std::size_t form) const noexcept {
        if (count_ == 0) [[likely]]
            return {};
        if (view != 0) view = view <= views_->size() ? (*views_)[view - 1u] : std::uint16_t{0xFFFF};
        const std::byte* p = at_;
        for (std::size_t i = 0; i < count_; ++i) {
            Head head;
            std::memcpy(&head, p, sizeof head);
            p += sizeof head;
            if (head.view == view && head.form == form) return eta::Bytes{p, head.length};
            p += head.length;
        }
        return {};
    }

private:
    const std::byte* at_ = nullptr;
    std::size_t count_ = 0;
    const std::vector<std::uint16_t>* views_ = nullptr;
};

/// Makes them. No allocation once buffers have grown. One thread.
class TextMaker {
public:
    static constexpr std::size_t kMost = 64;  ///< texts of one message; readers make what is beyond

    /// Borrows the views, the names and the counts.
    TextMaker(const ViewTable& views, const eta::json::ServiceNames& services, Rendered& rendered) noexcept
        : views_(views), rendered_(rendered) {
        converter_.setServices(&services);
    }
    void setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    /// Of the next message. Throws std::bad_alloc.
    void begin();
    /// The text of the message in that form, unless it is there already or cannot be made. `msg`: with all that any
    /// form has, as the reader gets it; a view of the maker, 0 for none. Throws std::bad_alloc.
    void add(const eta::codec::Msg& msg, std::size_t form, std::uint16_t view, TurnBudget& work);
    [[nodiscard]] eta::Bytes texts() const noexcept { return texts_.view(); }
    [[nodiscard]] std::size_t count() const noexcept { return count_; }

private:
    [[nodiscard]] bool has(std::uint16_t view, std::size_t form) const noexcept;
    void append(std::uint16_t view, std::size_t form, eta::Bytes text);

    const ViewTable& views_;
    Rendered& rendered_;
    ViewFilter filter_;
    eta::json::Converter converter_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    reactor::GrowingBuffer payload_{4096}, message_{4096}, text_{4096}, texts_{8192};
    std::size_t count_ = 0;
};

}  // namespace emissary::hub::fanout
