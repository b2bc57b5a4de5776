// book/apply: applies messages, entries and summaries by the rules of docs/spec/order-books.md 3; it does not know
// where the bytes came from.
#pragma once

#include "apply/EntryRules.h"
#include "store/Memory.h"

#include "emissary/metrics.h"

#include <array>
#include <memory>
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

struct StorePacket;

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
            now_.content = book.next_.get();
            now_.shown = now_.track = false;
        }
        return true;
    }
    [[nodiscard]] bool begin(Book& book, const MessageHead& head);
    /// For the entry that decoding comes to next; its line of the index is fetched meanwhile.
    void expect(const Key& key) noexcept { ContentAccess::prefetchSlot(*now_.content, key.tag()); }
    void summary(const Values& values) { entries_.summary(values); }
    /// False: no more entries are wanted.
    [[nodiscard]] bool entry(std::uint8_t action, const Key& key, const Values& values) {
        entries_.apply(action, key, values);
        if (options_.perEntry && now_.shown && !now_.reset && now_.touched && now_.track) [[unlikely]]
            publishChanges();
        return !now_.dead;
    }
    /// The payload is not what it should be, or broke off.
    void malformed() { faults_.ofMessage(now_, Fault::malformedMap); }
    [[nodiscard]] Verdict finish(const UpdateHead&) {
        publishChanges();
        return finishStates();
    }
    [[nodiscard]] Verdict finish(const MessageHead& head);

    void restore(Book& book) noexcept;  ///< ends a message that was left by an exception
    [[nodiscard]] const Fields& fields() const noexcept { return options_.fields; }
    [[nodiscard]] const BookOptions& options() const noexcept { return options_; }
    /// `shown` reads the counters as long as this lives.
    void showCounts(std::unique_ptr<AddedCounts> shown) noexcept { shownCounts_ = std::move(shown); }
    [[nodiscard]] Counters& counters() noexcept { return counters_; }
    [[nodiscard]] const Counters& counters() const noexcept { return counters_; }
    [[nodiscard]] std::unique_ptr<Book> makeBook(std::string_view name, Kind kind, void* closure);
    [[nodiscard]] static const Content& shown(const Book& book) noexcept { return *book.shown_; }
    [[nodiscard]] static std::size_t& placeOf(Book& book) noexcept { return book.place_; }

    Values scratch;  ///< of the entry at hand
    using Texts = std::array<std::string, kMeanings>;
    Texts texts;  ///< what its texts point to, where the message itself cannot be pointed to
    /// Of Store::apply(Span<PacketMessage>), with the first one. Shared because its type is not known here.
    std::shared_ptr<StorePacket> packet;

private:
    // --- messages
    void begin(Book& book) noexcept {
        now_.book = &book;
        now_.content = book.shown_.get();
        ContentAccess::prefetch(*now_.content);
        now_.before = book.state_;
        now_.phaseBefore = book.phase_;
        now_.faults = 0;
        now_.shown = true;
        now_.touched = now_.reset = now_.dead = now_.askImage = now_.summarySeen = false;
        now_.track = options_.trackChanges;
    }
    [[nodiscard]] bool refuse() noexcept;
    [[nodiscard]] Verdict finishStates() {
        if (now_.book->state_ != now_.before || now_.book->phase_ != now_.phaseBefore) [[unlikely]]
            tellState();
        return now_.askImage ? askOnce() : Verdict::fine;
    }
    void beginRefresh(const MessageHead& head);
    void beginImage(const MessageHead& head);
    void finishRefresh(const MessageHead& head);
    void finishStatus(const MessageHead& head);
    void checkSequence(std::uint32_t sequence);
    void tellState();
    [[nodiscard]] Verdict askOnce() noexcept;
    void publishChanges() {
        if (now_.reset || now_.summarySeen || !now_.shown) [[unlikely]]
            return publishSpecial();
        publishLevels();
    }
    void publishSpecial();
    void publishLevels() {
        if (!now_.touched) return;
        Book& book = *now_.book;
        ++book.version_;
        const std::span<const Change> changes = changes_.finish(*now_.content);
        if (book.top_ != nullptr) published();
        if (!changes.empty() || !options_.trackChanges) listener_.onBookChanged(book, changes);
    }
    void published();

    BookOptions options_;
    BookListener& listener_;
    Counters counters_;
    ChangeList changes_;
    Memory memory_;
    Current now_;
    Faults faults_{options_, listener_, counters_};
    EntryRules entries_{now_, changes_, counters_, faults_};
    std::unique_ptr<AddedCounts> shownCounts_;  // goes first: it reads counters_
};

}  // namespace emissary::book::detail
