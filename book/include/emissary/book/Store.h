// Books for programs that have handles of their own: messages in, books out.
#pragma once

#include "emissary/book/Counters.h"
#include "emissary/book/Fields.h"
#include "emissary/book/Listener.h"

#include <cstddef>
#include <memory>

namespace refinitiv::ema::access {
class Msg;
class RefreshMsg;
class UpdateMsg;
class StatusMsg;
}  // namespace refinitiv::ema::access

namespace emissary::book {

/// What holds for every book of a store or builder.
struct BookOptions {
    std::size_t depthHint = 16;         ///< levels a side to make room for with a book's first entry
    std::size_t ordersHint = 64;        ///< entries likewise
    bool perEntry = false;              ///< onBookChanged after each entry instead of each message
    bool autoRepair = true;             ///< Builder: ask for an image again after a gap or a malformed map
    bool checkSequence = false;         ///< sequence numbers of updates must follow one another
    bool trackChanges = true;           ///< false: onBookChanged comes without the list
    bool visibleWhileBuilding = false;  ///< show an image while its parts come
    std::uint32_t maxFaults = 100;      ///< a message with more makes its book stale
    Fields fields{};                    ///< which field says what
    /// Clock for the pace of onBookFault.
    std::chrono::steady_clock::time_point (*now)() = &std::chrono::steady_clock::now;
};

/// What the caller should do after a message.
enum class Verdict : std::uint8_t {
    fine,
    askImage  ///< something was missed: the stream wants a new image (reissue). Said once until one comes
};

/// One of several encoded messages that came together, and the book that it is for.
struct PacketMessage {
    Book* book = nullptr;              ///< of the store
    const std::byte* bytes = nullptr;  ///< a whole RWF message with its header (docs/spec/rwf.md 4); borrowed
    std::size_t length = 0;            ///< of it
    Verdict verdict = Verdict::fine;   ///< set by Store::apply()
    bool applied = false;              ///< set by Store::apply(); false: it threw, or the book was removed before
};

/// Keeps books and applies messages to them. Belongs to one thread at a time; counters may be read from any.
class Store {
public:
    /// `listener` is borrowed.
    explicit Store(BookListener& listener, BookOptions options = {});
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    /// A book without content. The reference is good until remove(); `closure` is the program's own.
    Book& add(std::string_view name, Kind kind, void* closure = nullptr);
    void remove(Book& book);  ///< the reference ends here; not from a listener's call about this very book
    /// How many it keeps.
    [[nodiscard]] std::size_t books() const noexcept;
    [[nodiscard]] Book& at(std::size_t index) const noexcept;  ///< in no order; below books()

    /// Reads the encoded bytes of a received message: an image, or a part of one. A message that was built is completed
    /// first, which may throw OmmInvalidUsageException; otherwise nothing is thrown but what a listener throws, and
    /// std::bad_alloc.
    Verdict apply(Book& book, const refinitiv::ema::access::RefreshMsg& msg);
    /// The same for an update, which is ignored and counted until there is an image.
    Verdict apply(Book& book, const refinitiv::ema::access::UpdateMsg& msg);
    /// Takes the state of the stream: Suspect makes a live book stale, Ok makes it live again unless something was
    /// missed, the end closes it.
    Verdict apply(Book& book, const refinitiv::ema::access::StatusMsg& msg);
    /// The messages of one packet, for programs that read packets themselves (a capture, multicast): the same as one
    /// after the other, but what they need of all their books is fetched from memory together, before the first one is
    /// applied. With thousands of books, which are in no cache, that saves waits. A header that cannot be read counts as a malformed
    /// map of its book, and the others are applied. A listener may remove() other books meanwhile. When a listener
    /// throws, the messages behind are not applied. A listener that calls it gets std::logic_error. Allocates with the
    /// first call alone.
    void apply(Span<PacketMessage> messages);
    /// apply() through the public walk (Map::forth(), FieldList::forth()): what a program on any EMA would do. Gives
    /// the same book, slower; needs the fields in the consumer's dictionary.
    Verdict applyPortable(Book& book, const refinitiv::ema::access::RefreshMsg& msg);
    Verdict applyPortable(Book& book, const refinitiv::ema::access::UpdateMsg& msg);
    Verdict applyPortable(Book& book, const refinitiv::ema::access::StatusMsg& msg);

    /// As given to the constructor.
    [[nodiscard]] const BookOptions& options() const noexcept;
    /// Of all its books, removed ones included; may be read from any thread.
    [[nodiscard]] const Counters& counters() const noexcept;
    [[nodiscard]] std::size_t bytes() const noexcept;  ///< memory of all books
    /// Checks the invariants of all books; the number of books with something broken.
    [[nodiscard]] std::size_t verify() const;

private:
    friend struct StoreAccess;
    std::unique_ptr<detail::Applier> applier_;
    std::vector<std::unique_ptr<Book>> books_;
};

}  // namespace emissary::book
