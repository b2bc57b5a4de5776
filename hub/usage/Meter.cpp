// Follows mounts and messages on their way out, and has what was counted written.
#include "hub/usage/Meter.h"

#include "hub/usage/product_code.h"
#include "hub/usage/usage_file.h"
#include "reactor/metrics/Snapshot.h"

#include <algorithm>
#include <filesystem>
#include <new>

namespace emissary::hub::usage {

using namespace eta::codec;

namespace {

constexpr std::uint32_t kTicks = 8;            // of an interval: all streams are looked at in this many slices
constexpr std::size_t kFoldedAtOnce = 50'000;  // streams, about a millisecond
constexpr const char* kLockName = "usage.lock";

[[nodiscard]] std::int64_t dayOf(eta::WallClock::time_point now) {
    return std::chrono::floor<std::chrono::days>(now).time_since_epoch().count();
}

}  // namespace

Meter::Meter(MeterOptions options, const MeterRooms& rooms)
    : options_(std::move(options)), reactor_(rooms.reactor), items_(rooms.items), clients_(rooms.clients),
      services_(rooms.services), outputs_(rooms.outputs), table_(options_.settings.rows, today()),
      writer_(options_.settings.folder, options_.retry),
      metrics_(rooms.reactor, [this](reactor::metrics::Snapshot& into) {
          counts_.rows = table_.size();
          counts_.streams = streams_.size() - free_.size();
          counts_.others = table_.others();
          into.add(counts_);
          into.add(writer_.counts());
      }) {
    outputs_.observe(*this);
}

Meter::~Meter() {
    outputs_.ignore(*this);
    reactor_.cancelTimer(timer_);
    if (!started_) return;
    // The last slice of use is counted before the rows are taken.
    try {
        foldAll();
        writer_.put(table_.take(reactor_.now()));
    } catch (const std::bad_alloc&) {}
    const bool written = writer_.stop();
    for (const DayWriter::Note& note : writer_.takeNotes())
        log(note.failure ? Severity::error : Severity::success, note.text);
    if (!written) log(Severity::error, "UsageFolder: the use since the last file could not be written before the end");
}

std::int64_t Meter::today() const {
    return dayOf(options_.wallClock ? options_.wallClock() : eta::WallClock::now());
}

eta::Refused Meter::start() {
    const std::string& folder = options_.settings.folder;
    if (const eta::Refused refused = lock_.take(folder, kLockName)) return {"UsageFolder: " + refused.text};
    const std::string path = folder + "/" + fileNameOf(table_.day());
    // A restart in the middle of a day goes on with the numbers of the file.
    Rows rows;
    std::vector<std::string> faults;
    readFile(path, rows, faults);
    for (const auto& [key, numbers] : rows)
        table_.add(key, numbers);
    if (!faults.empty()) {
        // What it has is kept for people; the next file has what could be read.
        std::error_code error;
        std::filesystem::rename(path, path + ".damaged", error);
        log(Severity::error, "UsageFolder: " + faults.front() + " (" + std::to_string(faults.size()) +
                                 " faults in all); the file is kept as " + path + ".damaged");
    }
    writer_.start();
    started_ = true;
    // Written at once, so a folder without rights is seen now and not after an interval.
    writer_.put(table_.take(reactor_.now()));
    tick();
    return {};
}

// --- messages --------------------------------------------------------------------------------------------------------

void Meter::sent(Item& item, const Msg& msg, To /*to*/) noexcept {
    // One addition for each update, however many streams the item has: fold() shares it out later. This is the path of
    // every update.
    if (msg.cls == MsgClass::Update) {
        if (item.index < seen_.size()) ++seen_[item.index].updates;  // else no stream of it is counted
        return;
    }
    // Only images matter from here on, and only for streams that have no row.
    if (msg.cls != MsgClass::Refresh || item.index >= seen_.size() || seen_[item.index].unplaced == 0) return;
    for (std::uint32_t at = 0; at < item.mountCount; ++at)
        hadImage(item, item.mounts[at], msg);
}

void Meter::hadImage(const Item& item, const Mount& mount, const Msg& msg) noexcept {
    if (msg.cls != MsgClass::Refresh) return;
    Stream* const stream = find(mount);
    if (stream == nullptr || stream->row != kNone) return;
    place(item, *stream);
    // The image is not an update: counting begins behind it.
    stream->from = seen_[stream->item].updates;
}

// --- mounts ----------------------------------------------------------------------------------------------------------

Meter::Stream* Meter::find(const Mount& mount) noexcept {
    if (mount.client >= places_.size()) return nullptr;
    const auto found = places_[mount.client].find(mount.stream);
    return found == places_[mount.client].end() ? nullptr : &streams_[found->second];
}

Meter::Seen& Meter::seen(const Item& item) {
    if (item.index >= seen_.size()) seen_.resize(std::max<std::size_t>(item.index + 1, seen_.size() * 2));
    return seen_[item.index];
}

void Meter::mounted(Item& item, const Mount& mount) noexcept {
    if (find(mount) != nullptr) return;  // it has changed
    try {
        Seen& of = seen(item);
        if (mount.client >= places_.size()) places_.resize(mount.client + 1);
        if (free_.empty()) {
            // Reserved here, because unmounted() may not allocate.
            if (free_.capacity() <= streams_.size()) free_.reserve(streams_.size() * 2 + 16);
            streams_.emplace_back();
            free_.push_back(static_cast<std::uint32_t>(streams_.size() - 1));
        }
        places_[mount.client].emplace(mount.stream, free_.back());
        Stream& made = streams_[free_.back()];
        free_.pop_back();
        made = {};
        made.from = of.updates;
        made.item = item.index;
        made.client = mount.client;
        made.snapshot = mount.is(Mount::snapshot);
        ++of.unplaced;
        // Use that cannot be counted must not cost the client its stream.
    } catch (const std::bad_alloc&) { ++counts_.uncounted; }
}

void Meter::unmounted(Item& /*item*/, const Mount& mount, Leaves how) noexcept {
    // A mount that only changes comes again at once: it is still the same use.
    if (how != Leaves::forGood || mount.client >= places_.size()) return;
    auto& places = places_[mount.client];
    const auto found = places.find(mount.stream);
    if (found == places.end()) return;
    Stream& stream = streams_[found->second];
    fold(stream);
    if (stream.row == kNone) --seen_[stream.item].unplaced;
    else if (!stream.snapshot) table_.closed(stream.row, reactor_.now());
    stream = {};
    free_.push_back(found->second);  // mounted() made room
    places.erase(found);
}

void Meter::quietened(Item& /*item*/, Mount& mount) noexcept {
    Stream* const stream = find(mount);
    if (stream == nullptr || stream->quiet) return;
    fold(*stream);
    stream->quiet = true;
}

void Meter::enlivened(const Item& /*item*/, const Mount& mount) noexcept {
    Stream* const stream = find(mount);
    if (stream == nullptr || !stream->quiet) return;
    stream->quiet = false;
    stream->from = seen_[stream->item].updates;
}

void Meter::place(const Item& item, Stream& stream) noexcept {
    const Service* const service = services_.find(item.service);
    try {
        stream.row = table_.row(clients_[stream.client].user, service != nullptr ? service->name : std::string(),
                                item.extras ? productCode(item.extras->permData) : std::string());
        // Without memory for a row the use goes to the row of all others.
    } catch (const std::bad_alloc&) { stream.row = Table::kOthersRow; }
    Seen& of = seen_[stream.item];
    --of.unplaced;
    // A snapshot is not held open: it counts as one.
    if (stream.snapshot) return table_.snapshot(stream.row);
    table_.opened(stream.row, reactor_.now());
}

// --- from time to time -----------------------------------------------------------------------------------------------

/// A stream without an image counts from its first update on: its client may have asked for no image.
void Meter::fold(Stream& stream) noexcept {
    if (stream.item == kNone || stream.quiet) return;
    const std::uint64_t now = seen_[stream.item].updates;
    if (stream.row == kNone && now != stream.from) place(items_[stream.item], stream);
    if (stream.row != kNone) table_.updated(stream.row, now - std::exchange(stream.from, now));
}

void Meter::foldAll() noexcept {
    for (Stream& stream : streams_)
        fold(stream);
}

void Meter::tick() {
    timer_ = reactor_.startTimer(std::chrono::milliseconds(options_.settings.interval) / kTicks, [this] { tick(); });
    // One more than the eighth part, so that eight slices reach the end.
    const std::size_t slice = streams_.size() / kTicks + 1;
    const std::size_t end = std::min(next_ + slice, streams_.size());
    for (; next_ < end; ++next_)
        fold(streams_[next_]);
    for (const DayWriter::Note& note : writer_.takeNotes())
        log(note.failure ? Severity::error : Severity::success, note.text);
    if (today() > table_.day()) {  // a clock that steps back changes nothing
        // More than this many take part in the next day with what came since they were looked at last.
        if (streams_.size() <= kFoldedAtOnce) foldAll();
        write();
        table_.begin(today(), reactor_.now());
    }
    if (++ticks_ % kTicks != 0) return;
    next_ = 0;
    write();
}

void Meter::write() {
    try {
        writer_.put(table_.take(reactor_.now()));
    } catch (const std::bad_alloc&) {}  // the next one has it all
}

}  // namespace emissary::hub::usage
