// Applies messages, entries and summaries by the rules of docs/spec/order-books.md 3; it does not know where the bytes
// came from.
#pragma once

#include "apply/rows.h"
#include "emissary/book/Store.h"
#include "store/ChangeList.h"
#include "store/ContentAccess.h"
#include "store/scale.h"

#include <array>
#include <string>

namespace emissary::book::detail {

/// What an update says beside its payload.
struct UpdateHead {
    bool doNotCache = false, hasSequence = false;
    std::uint32_t sequence = 0;
};

/// What a refresh or a status says beside its payload.
struct MessageHead {
    enum class Class : std::uint8_t { refresh, status } cls = Class::refresh;
    // The numbers of the wire.
    enum : std::uint8_t { kOpen = 1, kNonStreaming = 2, kDataOk = 1, kDataSuspect = 2 };
    bool clearCache = false, complete = false, hasState = false, hasSequence = false, hasPart = false;
    std::uint8_t stream = 0, data = 0;
    std::uint16_t part = 0;
    std::uint32_t sequence = 0;
};

class Applier {
public:
    Applier(BookListener& listener, BookOptions&& options) : options_(std::move(options)), listener_(listener) {}

    /// Begins a message; false: its payload is not to be applied (finish() all the same).
    [[nodiscard]] bool begin(Book& book, const UpdateHead& head) {
        begin(book);
        counters_.updates.add();
        if (head.hasSequence) checkSequence(head.sequence);
        if (book.state_ == State::empty || book.state_ == State::closed || head.doNotCache) [[unlikely]]
            return refuse();
        if (book.next_ != nullptr) [[unlikely]] {
            content_ = book.next_.get();
            shown_ = track_ = false;
        }
        return true;
    }
    [[nodiscard]] bool begin(Book& book, const MessageHead& head);
    /// For the entry that decoding comes to next; its line of the index is fetched meanwhile.
    void expect(const Key& key) noexcept { ContentAccess::prefetch(*content_, key); }
    void summary(const Values& values);
    /// False: no more entries are wanted.
    [[nodiscard]] bool entry(std::uint8_t action, const Key& key, const Values& values);
    /// The payload is not what it should be, or broke off.
    void malformed() { failMessage(Fault::malformedMap); }
    [[nodiscard]] Verdict finish(const UpdateHead&) {
        publishChanges();
        return finishStates();
    }
    [[nodiscard]] Verdict finish(const MessageHead& head);

    void restore(Book& book) noexcept;  ///< ends a message that was left by an exception
    [[nodiscard]] const Fields& fields() const noexcept { return options_.fields; }
    [[nodiscard]] const BookOptions& options() const noexcept { return options_; }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }
    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    [[nodiscard]] static std::unique_ptr<Book> makeBook(std::string_view name, Kind kind, void* closure,
                                                        const BookOptions& options);
    [[nodiscard]] static const Content& shown(const Book& book) noexcept { return *book.shown_; }
    [[nodiscard]] static std::size_t& placeOf(Book& book) noexcept { return book.place_; }

    Values scratch;  ///< of the entry at hand
    using Texts = std::array<std::string, kMeanings>;
    Texts texts;  ///< what its texts point to, where the message itself cannot be pointed to

private:
    // --- messages
    void begin(Book& book) noexcept {
        book_ = &book;
        content_ = book.shown_.get();
        ContentAccess::prefetch(*content_);
        before_ = book.state_;
        phaseBefore_ = book.phase_;
        faults_ = 0;
        shown_ = true;
        touched_ = reset_ = dead_ = askImage_ = summarySeen_ = false;
        track_ = options_.trackChanges;
    }
    [[nodiscard]] bool refuse() noexcept;
    [[nodiscard]] Verdict finishStates() {
        if (book_->state_ != before_ || book_->phase_ != phaseBefore_) [[unlikely]]
            tellState();
        return askImage_ ? askOnce() : Verdict::fine;
    }
    void beginRefresh(const MessageHead& head);
    void beginImage(const MessageHead& head);
    void finishRefresh(const MessageHead& head);
    void finishStatus(const MessageHead& head);
    void checkSequence(std::uint32_t sequence);
    void setState(State state);
    void tellState();
    [[nodiscard]] Verdict askOnce() noexcept;
    void publishChanges() {
        if (reset_ || summarySeen_ || !shown_) [[unlikely]]
            return publishSpecial();
        publishLevels();
    }
    void publishSpecial();
    void publishLevels() {
        if (!touched_) return;
        Book& book = *book_;
        ++book.version_;
        const std::span<const Change> changes = changes_.finish(*content_);
        if (book.top_ != nullptr) published();
        if (!changes.empty() || !options_.trackChanges) listener_.onBookChanged(book, changes);
    }
    void failMessage(Fault fault);
    void failEntry(Fault fault, std::string_view key, std::int16_t field);
    void tell(Fault fault, std::string_view key, std::int16_t field);
    void published();
    // --- entries
    void deleteEntry(std::uint32_t row);
    [[nodiscard]] bool readPart(const Key& key, const Values& v, Meaning price, Meaning size, Side side, Part& out);
    [[nodiscard]] bool readOtherPrice(const Key& key, const Values::Number& n, Part& out);
    [[nodiscard]] bool readOtherSize(const Key& key, const Values::Number& n, Part& out);
    [[nodiscard]] bool readOneSided(const Key& key, const Values& v, Side side, Part& out);
    [[nodiscard]] bool readDecimals(const Key& key, const Values& v, Side side, Part& out);
    void addOneSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row);
    void updateOneSided(const Key& key, const Values& v, std::uint32_t row);
    void applyTwoSided(std::uint8_t action, const Key& key, const Values& v, std::uint32_t row);
    [[nodiscard]] ChangeList* tracked() noexcept { return track_ ? &changes_ : nullptr; }

    BookOptions options_;
    BookListener& listener_;
    Counters counters_;
    ChangeList changes_;
    Book* book_ = nullptr;
    Content* content_ = nullptr;  ///< that the message is applied to
    State before_ = State::empty;
    Phase phaseBefore_ = Phase::unknown;
    std::uint32_t faults_ = 0;
    bool track_ = false;    ///< changes are gathered
    bool shown_ = false;    ///< content_ is what the listener sees
    bool touched_ = false;  ///< anything of what is shown changed
    bool reset_ = false;    ///< to be told as a new image
    bool dead_ = false;     ///< the rest of the message is not applied
    bool askImage_ = false;
    bool summarySeen_ = false;
};

}  // namespace emissary::book::detail
