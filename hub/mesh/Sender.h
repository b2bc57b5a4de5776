// The node's way out: frames with its name and epoch, on the subjects of the mesh.
#pragma once

#include "hub/mesh/Bus.h"
#include "hub/mesh/MeshOptions.h"
#include "hub/mesh/frames.h"
#include "hub/mesh/mesh_counts.h"

#include <string>

namespace emissary::hub::mesh {

/// "emh.1.MESH." and the rest.
[[nodiscard]] std::string subject(const MeshOptions& options, std::string_view rest);
/// A node in a subject: 8 hex digits.
[[nodiscard]] std::string nodeName(std::uint32_t node);

/// Borrows everything. The node's thread.
class Sender {
public:
    Sender(Bus& bus, const MeshOptions& options, MeshCounts& counts) noexcept
        : bus_(bus), options_(options), counts_(counts) {}

    /// Sends the batch, and counts `sequence` on. An empty batch is sent as a frame without records. `nobody`: as in
    /// Bus::publishAsking(); empty: nobody has to be told.
    void flush(Batch& batch, FrameType type, std::uint16_t lane, std::uint64_t& sequence, std::string_view to,
               std::string_view nobody = {}) {
        Header h;
        h.type = type;
        h.node = options_.node;
        h.epoch = options_.epoch;
        h.lane = lane;
        h.sequence = sequence;
        batch.flush(h, bus_.mostFrame() - kHeaderBytes, [&](Bytes frame) {
            counts_.framesOut.add();
            counts_.bytesOut.add(frame.size());
            if (nobody.empty()) bus_.publish(to, frame);
            else bus_.publishAsking(to, nobody, frame);
        });
        sequence = h.sequence;
    }
    [[nodiscard]] Bus& bus() const noexcept { return bus_; }

private:
    Bus& bus_;
    const MeshOptions& options_;
    MeshCounts& counts_;
};

/// The sending end of a lane: records wait for the size or the age of a batch.
class LaneOut {
public:
    LaneOut(std::uint16_t lane, std::string to, std::size_t batchBytes, std::uint64_t last)
        : to_(std::move(to)), batch_(batchBytes + 4096), last_(last), lane_(lane) {}

    /// False when the record is too long for any frame.
    [[nodiscard]] bool add(Sender& sender, std::size_t batchBytes, Kind kind, std::uint32_t number,
                           std::uint32_t version, Bytes body) {
        makeRoom(sender, batchBytes, body.size());
        if (!batch_.add(kind, number, version, body)) return false;
        if (batch_.bytes() >= batchBytes) flush(sender);
        return true;
    }
    /// An update whose body others have too: it is written once for those that stand together (Batch::addUpdate).
    [[nodiscard]] bool addOfMany(Sender& sender, std::size_t batchBytes, std::uint32_t number, std::uint32_t version,
                                 Bytes body) {
        makeRoom(sender, batchBytes, body.size());
        if (!batch_.addUpdate(number, version, body)) return false;
        if (batch_.bytes() >= batchBytes) flush(sender);
        return true;
    }
    void flush(Sender& sender) {
        if (!batch_.empty()) sender.flush(batch_, FrameType::data, lane_, last_, to_);
    }
    void flushIfOlder(Sender& sender, eta::TimePoint than) {
        if (!batch_.empty() && since_ <= than) flush(sender);
    }
    /// The last sequence that was sent; records in the batch come behind it.
    [[nodiscard]] std::uint64_t last() const noexcept { return last_; }

private:
    void makeRoom(Sender& sender, std::size_t batchBytes, std::size_t body) {
        if (!batch_.empty() && (batch_.bytes() + kRecordBytes + body > batchBytes || batch_.records() == 0xFFFF))
            flush(sender);
        if (batch_.empty()) since_ = sender.bus().now();
    }

    std::string to_;
    Batch batch_;
    std::uint64_t last_;
    eta::TimePoint since_;
    std::uint16_t lane_;
};

}  // namespace emissary::hub::mesh
