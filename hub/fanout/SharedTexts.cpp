// Cuts a message down to a form and a view, renders it, and puts the text behind those that are there.
#include "hub/fanout/SharedTexts.h"

#include <new>

namespace emissary::hub::fanout {

using namespace eta::codec;

void TextMaker::setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary) {
    dictionary_ = std::move(dictionary);
    converter_.setDictionary(dictionary_.get());
}

void TextMaker::begin() {
    constexpr std::size_t kKept = 256u << 10;
    if (texts_.view().size() > kKept) {
        for (reactor::GrowingBuffer* const buffer : {&payload_, &message_, &text_, &texts_})
            buffer->trim(kKept);
    }
    static_cast<void>(texts_.start());
    count_ = 0;
}

bool TextMaker::has(std::uint16_t view, std::size_t form) const noexcept {
    const std::byte* p = texts_.view().data();
    for (std::size_t i = 0; i < count_; ++i) {
        SharedTexts::Head head;
        std::memcpy(&head, p, sizeof head);
        if (head.view == view && head.form == form) return true;
        p += sizeof head + head.length;
    }
    return false;
}

void TextMaker::append(std::uint16_t view, std::size_t form, eta::Bytes text) {
    const SharedTexts::Head head{view, static_cast<std::uint16_t>(form), static_cast<std::uint32_t>(text.size())};
    const std::size_t whole = sizeof head + text.size();
    eta::BeWriter& out = texts_.writer();
    std::byte* const to = out.room(whole);
    if (to == nullptr) throw std::bad_alloc();
    std::memcpy(to, &head, sizeof head);
    if (!text.empty()) std::memcpy(to + sizeof head, text.data(), text.size());
    out.advance(whole);
    ++count_;
}

void TextMaker::add(const Msg& msg, std::size_t form, std::uint16_t view, TurnBudget& work) {
    if (count_ == kMost || dictionary_ == nullptr || has(view, form)) return;
    const std::uint16_t taken = takenFrom(msg, wantsOf(form));
    const std::uint16_t service = msg.hasKey() ? msg.key.serviceId : std::uint16_t{0};
    eta::Bytes bytes = msg.raw;
    if (view != 0 || !goesAsReceived(msg, service, taken)) {
        Msg m = changed(msg, service, taken);
        if (view != 0) {
            work.spend(TurnBudget::kOneFilter + msg.payload.size() * TurnBudget::kFilter);
            const ViewFilter::Left left =
                filter_.filter(views_[view], msg.containerType, msg.payload, payload_.start());
            if (left == ViewFilter::Left::malformed) return;
            if (left == ViewFilter::Left::nothing && msg.cls == MsgClass::Update) return append(view, form, {});
            m.payload = payload_.view();
        }
        if (!encodeMsg(message_.start(), m).ok()) return;
        bytes = message_.view();
    }
    converter_.options().expandEnums = (form & kNumbers) == 0;
    if (!converter_.toJson(bytes, text_.start()).ok()) return;
    const std::string_view text = eta::asText(text_.view());
    work.spend(text.size() * TurnBudget::kText);
    ++rendered_;
    if (const eta::json::IdPlace id = eta::json::idPlace(text); id.length != 0)
        append(view, form, text_.view().subspan(id.at + id.length));
}

}  // namespace emissary::hub::fanout
