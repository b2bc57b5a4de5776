// hub/mesh: directories as whole lists and as changes; a change counts only behind the version before it.
#include "hub/mesh/Directories.h"

namespace emissary::hub::mesh {
namespace {
constexpr std::size_t kMostAbout = 64 * 1024;
constexpr std::uint8_t kDown = 0, kUp = 1, kLeaves = 2;  // to a node that does not know the last one it is up
}  // namespace

OwnDirectory::OwnDirectory(Sender& sender, const MeshOptions& options, MeshCounts& counts)
    : sender_(sender), options_(options), counts_(counts), to_(subject(options, "dir." + nodeName(options.node))) {}

bool OwnDirectory::offer(const std::string& service, OfferedService what) {
    if (service.empty() || service.size() > 255 || what.hub.size() > 255 || what.about.size() > kMostAbout)
        return false;
    const auto known = services_.find(service);
    if (known == services_.end() && services_.size() >= options_.maxServices) {
        counts_.refusedServices.add();
        return false;
    }
    if (known != services_.end() && known->second == what) return true;
    services_[service] = what;
    ++version_;
    add(Kind::service, service, what);
    flush();
    return true;
}

void OwnDirectory::withdraw(const std::string& service) {
    if (services_.erase(service) == 0) return;
    ++version_;
    add(Kind::serviceGone, service, {});
    flush();
}

void OwnDirectory::sendAll(eta::TimePoint now) {
    sentAll_ = now;
    asked_ = false;
    static_cast<void>(batch_.add(Kind::wholeDirectory, 0, version_, {}));
    for (const auto& [name, what] : services_)
        add(Kind::service, name, what);
    flush();
}

void OwnDirectory::tick(eta::TimePoint now) {
    const eta::Duration since = sentAll_ == eta::TimePoint::min() ? eta::Duration::max() : now - sentAll_;
    if (since >= options_.directoryEvery || (asked_ && since >= options_.heartbeat)) sendAll(now);
}

/// Rank, whether it is up, both names with their lengths, and what is said of it (hub.md 12.3).
void OwnDirectory::add(Kind kind, const std::string& name, const OfferedService& what) {
    eta::BeWriter& out = head_.start();
    out.u8(what.rank);
    out.u8(!what.up ? kDown : what.leaves ? kLeaves : kUp);
    out.buf8(eta::asBytes(name));
    out.buf8(eta::asBytes(what.hub));
    static_cast<void>(batch_.add(kind, 0, version_, out.view(), what.about));
}

void OwnDirectory::flush() {
    sender_.flush(batch_, FrameType::directory, kUnicast, sequence_, to_);
}

bool HeardDirectory::received(Bytes records, const MeshOptions& options, MeshCounts& counts) {
    RecordReader reader(records);
    Record r;
    bool whole = false, changed = false;
    while (reader.next(r)) {
        if (r.kind == Kind::wholeDirectory) {
            if (known_ && r.version <= version_) return changed;  // an old one
            services_.clear();
            version_ = r.version;
            known_ = whole = changed = true;
            continue;
        }
        eta::BeReader in(r.body);
        OfferedService what;
        what.rank = in.u8();
        const std::uint8_t state = in.u8();
        what.up = state != kDown;
        what.leaves = state == kLeaves;
        std::string name(eta::asText(in.buf8()));
        what.hub = eta::asText(in.buf8());
        const Bytes about = in.rest();
        if (!in.ok() || name.empty() || about.size() > kMostAbout ||
            (r.kind != Kind::service && r.kind != Kind::serviceGone)) {
            counts.ignoredRecords.add();
            continue;
        }
        if (!whole) {
            if (!known_ || r.version != version_ + 1) continue;  // a heartbeat says which version there is
            version_ = r.version;
        }
        changed = true;
        what.about.assign(about.begin(), about.end());
        if (r.kind == Kind::serviceGone) services_.erase(name);
        else if (services_.size() < options.maxServices || services_.contains(name))
            services_[std::move(name)] = std::move(what);
        else counts.refusedServices.add();
    }
    return changed;
}

const OfferedService* HeardDirectory::find(const std::string& service) const noexcept {
    const auto at = services_.find(service);
    return at == services_.end() ? nullptr : &at->second;
}

}  // namespace emissary::hub::mesh
