// The loop's turns drive the node: frames when the bus has some, batches at the end of a turn, the rest by timers.
#include "hub/nats/MeshMember.h"

#include "eta/core/Clock.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

namespace emissary::hub::nats {

std::uint32_t nodeOf(std::string_view name) noexcept {
    std::uint32_t hash = 2166136261u;  // FNV-1a
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return hash;
}

std::uint64_t nextEpoch(const std::string& file, eta::Refused& refused) {
    std::uint64_t last = 0;
    {
        std::ifstream in(file);
        std::string text;
        in >> text;
        const auto read = std::from_chars(text.data(), text.data() + text.size(), last);
        const bool whole = read.ec == std::errc() && read.ptr == text.data() + text.size();
        if (in.is_open() && (!whole || last >= mesh::kMostEpoch)) {
            refused.text = "the file " + file +
                           " of the mesh's epoch has no number; put the last one there, or remove it "
                           "when no hub of the mesh has heard of this one for a minute";
            return 0;
        }
    }
    const auto now =
        std::chrono::duration_cast<std::chrono::nanoseconds>(eta::WallClock::now().time_since_epoch()).count();
    // A clock that stands before 1970 is one that went back, too.
    const std::uint64_t epoch = std::max(static_cast<std::uint64_t>(std::max<std::int64_t>(now, 0)), last + 1);
    return keepEpoch(file, epoch, refused) ? epoch : 0;
}

bool keepEpoch(const std::string& file, std::uint64_t epoch, eta::Refused& refused) {
    if (epoch >= mesh::kMostEpoch) {  // the next start could not read it
        refused.text = "the file " + file +
                       " of the mesh's epoch has the last number that there is; remove it when no hub of the mesh has "
                       "heard of this one for a minute";
        return false;
    }
    const std::string text = std::to_string(epoch) + "\n", fresh = file + ".new";
    const int fd = ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const bool written = fd >= 0 && ::write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size()) &&
                         ::fsync(fd) == 0 && ::rename(fresh.c_str(), file.c_str()) == 0;
    const int why = errno;
    if (fd >= 0) ::close(fd);
    if (written) return true;
    refused.text =
        "the file " + file + " of the mesh's epoch cannot be written: " + std::generic_category().message(why);
    return false;
}

std::unique_ptr<MeshMember> MeshMember::make(reactor::Reactor& reactor, mesh::OwnItems& items,
                                             mesh::EdgeListener& listener, const std::string& name,
                                             const std::string& epochFile, mesh::MeshOptions options,
                                             NatsOptions servers, eta::Refused& refused, mesh::PostTaker* posts) {
    servers.name = name;
    auto bus = NatsBus::make(std::move(servers), refused);
    if (refused) return nullptr;
    return make(reactor, items, listener, name, epochFile, std::move(options), std::move(bus), refused, posts);
}

std::unique_ptr<MeshMember> MeshMember::make(reactor::Reactor& reactor, mesh::OwnItems& items,
                                             mesh::EdgeListener& listener, const std::string& name,
                                             const std::string& epochFile, mesh::MeshOptions options,
                                             std::unique_ptr<NatsBus> bus, eta::Refused& refused,
                                             mesh::PostTaker* posts) {
    options.node = nodeOf(name);
    if (bus->sides() > 1) options.forTwoWays();
    options.epoch = nextEpoch(epochFile, refused);
    if (refused) return nullptr;
    std::unique_ptr<MeshMember> member(new MeshMember(reactor, std::move(bus), epochFile, options.epoch));
    member->node_ = std::make_unique<mesh::MeshNode>(*member->bus_, items, listener, std::move(options), posts);
    member->bus_->onNobody([node = member->node_.get()](std::string_view subject) { node->nobodyListens(subject); });
    return member;
}

MeshMember::MeshMember(reactor::Reactor& reactor, std::unique_ptr<NatsBus> bus, std::string epochFile,
                       std::uint64_t epoch)
    : reactor::TurnEnd(reactor), reactor_(reactor), bus_(std::move(bus)), epochFile_(std::move(epochFile)),
      epoch_(epoch) {
    reactor_.watch(bus_->fd(), EPOLLIN, *this);
    arm(kIdle);
}

MeshMember::~MeshMember() {
    reactor_.unwatch(bus_->fd());
    reactor_.cancelTimer(idle_);
    reactor_.cancelTimer(batch_);
    reactor_.cancelTimer(soon_);
}

bool MeshMember::update(std::uint32_t number, eta::Bytes body, mesh::Owner::Body whose) {
    waiting_ = true;
    return node_->owner().update(number, body, whose);
}

void MeshMember::close(std::uint32_t number, eta::Bytes status) {
    waiting_ = true;
    node_->owner().close(number, status);
}

void MeshMember::soon() {
    if (soon_ != 0) return;
    soon_ = reactor_.startTimer(reactor::Duration::zero(), [this] {
        soon_ = 0;
        tick();
    });
}

void MeshMember::tick() {
    node_->tick();
    if (node_->busy()) soon();  // behind what sockets have meanwhile
}

void MeshMember::onReady(std::uint32_t) noexcept {
    bus_->receive(kMostFrames, [this](eta::Bytes frame) {
        if (!node_->received(frame)) bus_->tooEarly(frame);
    });
    tick();
}

void MeshMember::onTurnEnd() noexcept {
    if (!waiting_ || batch_ != 0) return;
    const eta::TimePoint now = bus_->now();
    const eta::Duration since = flushedAt_ == eta::TimePoint::min() ? eta::Duration::max() : now - flushedAt_;
    if (since < node_->options().batchTime) {  // busy: what comes in this time goes together
        batch_ = reactor_.startTimer(node_->options().batchTime - since, [this] { batch_ = 0; });
        return;
    }
    node_->owner().flush();
    flushedAt_ = now;
    waiting_ = false;
}

void MeshMember::arm(eta::Duration delay) {
    idle_ = reactor_.startTimer(delay, [this] {
        tick();
        keepLaterEpoch();
        arm(kIdle);
    });
}

/// Without it the next life would have to hear of this one again. A disk that is full is tried again.
void MeshMember::keepLaterEpoch() {
    const std::uint64_t epoch = node_->options().epoch;
    if (epoch == epoch_ || bus_->now() < keepAgain_) return;
    eta::Refused refused;
    if (keepEpoch(epochFile_, epoch, refused)) {
        epoch_ = epoch;
        notKept_.clear();
        return;
    }
    keepAgain_ = bus_->now() + kKeepAgain;
    notKept_ = refused.text;
}

}  // namespace emissary::hub::nats
