// hub/delay: appends records to blocks, moves blocks to the file and back, and reads the records again.
#include "hub/delay/DelayLine.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace emissary::hub::delay {

namespace {

struct Header {
    std::int64_t at = 0;
    std::uint32_t pipe = 0, life = 0, size = 0;
    Record::Kind kind = Record::Kind::message;
    std::uint8_t unused[3]{};
};
static_assert(sizeof(Header) == 24);

}  // namespace

DelayLine::DelayLine(const Options& options, Disk* disk, LineCounts& counts, std::function<void()> changed,
                     std::function<void(bool, const std::string&)> told)
    : options_(options), disk_(options.fileBytes != 0 ? disk : nullptr), counts_(counts), changed_(std::move(changed)),
      told_(std::move(told)) {
    if (disk_ != nullptr) disk_->answered = [this](DiskJob& job) { answered(job); };
}

/// With a file some blocks are kept free, for those that are read back.
std::size_t DelayLine::mostInMemory() const noexcept {
    const auto blocks = static_cast<std::size_t>(std::max(options_.memoryBytes, kLeastMemory) / kBlock);
    return disk_ != nullptr ? blocks - kAhead - 1 : blocks;
}

bool DelayLine::roomy() const noexcept {
    return inMemory_ <= mostInMemory() * 3 / 4;
}

void DelayLine::count() noexcept {
    counts_.records = records_;
    counts_.memoryBytes = inMemory_ * kBlock;
    counts_.fileBytes = (slots_ - freeSlots_.size()) * kBlock;
}

// --- in --------------------------------------------------------------------------------------------------------------

bool DelayLine::put(const Record& record, bool forced) {
    const std::size_t size = kHeader + record.body.size();
    const std::size_t left = kBlock - writeAt_;
    const std::size_t blocks = size <= left ? 0 : (size - left + kBlock - 1) / kBlock;
    if (!forced && inMemory_ + blocks > mostInMemory()) {
        spill(record.at);  // a file that rested may take blocks again
        return false;
    }
    // Memory first, so that a record is taken whole or not at all.
    const std::size_t before = pieces_.size();
    try {
        for (std::size_t i = 0; i < blocks; ++i)
            begin();
    } catch (...) {
        while (pieces_.size() > before) {
            pieces_.pop_back();
            --inMemory_;
        }
        throw;
    }
    Piece& first = left == 0 ? pieces_[before] : pieces_[before - 1];
    ++first.begun;
    if (first.first == kNoRecord) first.first = static_cast<std::uint32_t>(left == 0 ? 0 : writeAt_);
    Header header;
    header.at = record.at.time_since_epoch().count();
    header.pipe = record.pipe;
    header.life = record.life;
    header.size = static_cast<std::uint32_t>(record.body.size());
    header.kind = record.kind;
    std::size_t at = left == 0 ? before : before - 1, offset = left == 0 ? 0 : writeAt_;
    const auto append = [&](eta::Bytes bytes) {
        while (!bytes.empty()) {
            if (offset == kBlock) {
                ++at;
                offset = 0;
            }
            const std::size_t n = std::min(bytes.size(), kBlock - offset);
            std::memcpy(pieces_[at].bytes->data() + offset, bytes.data(), n);
            bytes = bytes.subspan(n);
            offset += n;
        }
    };
    append(eta::Bytes(reinterpret_cast<const std::byte*>(&header), sizeof header));
    append(record.body);
    writeAt_ = offset;
    ++records_;
    if (blocks != 0) spill(record.at);
    count();
    return true;
}

void DelayLine::begin() {
    Piece piece;
    piece.bytes = std::make_shared<Block>();
    pieces_.push_back(std::move(piece));
    ++inMemory_;
}

/// Half of the memory is for the oldest blocks, which are needed first: the newest full ones go to the file.
void DelayLine::spill(eta::TimePoint now) {
    if (disk_ == nullptr) return;
    if (std::exchange(rests_, false)) restUntil_ = now + kRest;
    if (now < restUntil_) return;
    std::size_t resting = inMemory_ - atDisk_;
    const std::size_t keep = std::max<std::size_t>(mostInMemory() / 2, kAhead + 2);
    for (std::size_t i = pieces_.size() - 1; i > kAhead + 1 && resting > keep; --i) {
        Piece& piece = pieces_[i - 1];  // the last one is being filled
        if (piece.in != Piece::In::memory) continue;
        std::uint64_t slot = slots_;
        if (!freeSlots_.empty()) slot = freeSlots_.back();
        else if ((slots_ + 1) * kBlock > options_.fileBytes) return;
        DiskJob job{DiskJob::Kind::write, firstNumber_ + i - 1, slot, piece.bytes, 0};
        if (freeSlots_.empty()) {
            freeSlots_.reserve(slots_ + 1);  // for the time when all are given back
            ++slots_;
        } else freeSlots_.pop_back();
        piece.slot = slot;
        piece.in = Piece::In::writing;
        --resting;
        try {
            disk_->ask(std::move(job));
        } catch (...) {
            piece.in = Piece::In::memory;
            freeSlots_.push_back(slot);
            throw;
        }
        ++atDisk_;
    }
}

// --- the file --------------------------------------------------------------------------------------------------------

void DelayLine::answered(DiskJob& job) {
    Piece* const piece = find(job.block);
    --atDisk_;
    if (job.kind == DiskJob::Kind::write) written(piece, job);
    else {
        freeSlots_.push_back(job.slot);
        if (piece == nullptr) --inMemory_;
        else if (job.error == 0) piece->in = Piece::In::memory;
        else {
            ++counts_.failures;
            told_(true, std::string("the file of the delayed service cannot be read: ") + std::strerror(job.error) +
                            "; its items are Suspect until they have been fetched anew");
            piece->bytes.reset();
            piece->in = Piece::In::broken;
            --inMemory_;
        }
    }
    count();
    changed_();
}

void DelayLine::written(Piece* piece, DiskJob& job) {
    if (job.error != 0) {
        // It stays in memory. Further ones are not tried for a while: a full disk is not asked for every block.
        ++counts_.failures;
        freeSlots_.push_back(job.slot);
        if (piece != nullptr) piece->in = Piece::In::memory;
        else --inMemory_;
        rests_ = true;
        if (!std::exchange(failing_, true))
            told_(true, std::string("the file of the delayed service takes nothing: ") + std::strerror(job.error) +
                            "; what does not fit into memory (DelayMemoryBytes) makes its item Suspect");
        return;
    }
    ++counts_.writes;
    if (std::exchange(failing_, false)) told_(false, "the file of the delayed service takes blocks again");
    const bool needed = piece != nullptr && job.block - firstNumber_ <= kAhead;
    if (piece == nullptr || needed) {
        freeSlots_.push_back(job.slot);
        if (piece == nullptr) --inMemory_;
        else piece->in = Piece::In::memory;
        return;
    }
    piece->bytes.reset();
    piece->in = Piece::In::file;
    --inMemory_;
}

void DelayLine::readAhead(std::size_t blocks) {
    for (std::size_t i = 0; i < pieces_.size() && i <= blocks; ++i) {
        Piece& piece = pieces_[i];
        if (piece.in != Piece::In::file) continue;
        piece.bytes = std::make_shared<Block>();
        piece.in = Piece::In::reading;
        ++inMemory_;
        try {
            disk_->ask({DiskJob::Kind::read, firstNumber_ + i, piece.slot, piece.bytes, 0});
        } catch (...) {
            piece.bytes.reset();
            piece.in = Piece::In::file;
            --inMemory_;
            throw;
        }
        ++atDisk_;
    }
}

// --- out -------------------------------------------------------------------------------------------------------------

eta::Bytes DelayLine::look(std::size_t skip, std::size_t size, bool& broken) {
    std::size_t at = (readAt_ + skip) / kBlock, offset = (readAt_ + skip) % kBlock;
    const auto there = [&](std::size_t i) {
        if (i >= pieces_.size()) return false;
        if (pieces_[i].in == Piece::In::broken) broken = true;
        return pieces_[i].in == Piece::In::memory || pieces_[i].in == Piece::In::writing;
    };
    if (!there(at)) return {};
    if (offset + size <= kBlock) return eta::Bytes(*pieces_[at].bytes).subspan(offset, size);
    scratch_.clear();
    while (size != 0) {
        if (!there(at)) return {};
        const std::size_t n = std::min(size, kBlock - offset);
        const auto from = pieces_[at].bytes->begin() + static_cast<std::ptrdiff_t>(offset);
        scratch_.insert(scratch_.end(), from, from + static_cast<std::ptrdiff_t>(n));
        size -= n;
        offset = 0;
        ++at;
    }
    return scratch_;
}

DelayLine::Head DelayLine::head(Record& out) {
    if (records_ == 0) return Head::none;
    readAhead(kAhead);
    bool broken = false;
    const eta::Bytes bytes = look(0, kHeader, broken);
    Header header;
    if (!bytes.empty()) {
        std::memcpy(&header, bytes.data(), sizeof header);
        out.at = eta::TimePoint(eta::Duration(header.at));
        out.pipe = header.pipe;
        out.life = header.life;
        out.kind = header.kind;
        headSize_ = kHeader + header.size;
        if (const std::size_t last = (readAt_ + headSize_) / kBlock; last > kAhead) readAhead(last);
        out.body = header.size != 0 ? look(kHeader, header.size, broken) : eta::Bytes{};
    }
    if (broken) {
        passOver();
        return Head::lost;
    }
    return bytes.empty() || out.body.size() != header.size ? Head::loading : Head::ready;
}

void DelayLine::pop() {
    readAt_ += headSize_;
    --records_;
    --pieces_.front().begun;
    while (!pieces_.empty() && readAt_ >= kBlock && (pieces_.size() > 1 || records_ == 0)) {
        readAt_ -= kBlock;
        dropFirst();
    }
    if (pieces_.empty()) {
        readAt_ = 0;
        writeAt_ = kBlock;
    }
    if (scratch_.capacity() > 4 * kBlock) scratch_ = {};
    count();
}

void DelayLine::dropFirst() {
    Piece& piece = pieces_.front();
    switch (piece.in) {
    case Piece::In::memory:
        --inMemory_;
        break;
    case Piece::In::file:
        freeSlots_.push_back(piece.slot);
        break;
    case Piece::In::writing:  // the answer counts them
    case Piece::In::reading:
    case Piece::In::broken:
        break;
    }
    pieces_.pop_front();
    ++firstNumber_;
}

/// To the first record that begins behind the last broken block.
void DelayLine::passOver() {
    std::size_t last = 0;
    for (std::size_t i = 0; i < pieces_.size(); ++i)
        if (pieces_[i].in == Piece::In::broken) last = i;
    std::size_t to = last + 1;
    while (to < pieces_.size() && pieces_[to].first == kNoRecord)
        ++to;
    for (std::size_t i = 0; i < to; ++i) {
        records_ -= pieces_.front().begun;
        dropFirst();
    }
    readAt_ = pieces_.empty() ? 0 : pieces_.front().first;
    if (pieces_.empty()) writeAt_ = kBlock;
}

}  // namespace emissary::hub::delay
