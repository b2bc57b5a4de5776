// hub/ops: switches the traces of connections on, and off again when their time is over.
#include "hub/ops/Captures.h"

#include "eta/trace/XmlTrace.h"
#include "eta/transport/Channel.h"
#include "hub/client/ClientSession.h"

#include <algorithm>
#include <string_view>

namespace emissary::hub::ops {

namespace {

/// Of a connection that any thread may serve.
[[nodiscard]] eta::Error setTrace(eta::transport::Channel& channel, bool on) {
    const std::lock_guard guard(channel.outputLock());
    return channel.setOption(eta::transport::ioctl_code::trace, on ? 1 : 0);
}

}  // namespace

CaptureFiles::CaptureFiles(const std::string& folder, std::uint64_t mostBytes) {
    eta::trace::XmlTraceOptions o;
    o.fileName = folder + "/capture";
    o.maxFileSize = static_cast<std::int64_t>(mostBytes);
    o.maxFiles = kMostFiles;
    o.hex = true;
    source_ = eta::trace::makeXmlTrace(o, [said = said_](eta::trace::TraceNotice notice, const std::string& text) {
        const std::lock_guard guard(said->mutex);
        said->last = text;
        if (notice == eta::trace::TraceNotice::stopped && said->stops.size() < kMostStops) said->stops.push_back(text);
    });
}

std::string CaptureFiles::takeReport() {
    const std::lock_guard guard(said_->mutex);
    return std::exchange(said_->last, {});
}

std::vector<std::string> CaptureFiles::takeStops() {
    const std::lock_guard guard(said_->mutex);
    return std::exchange(said_->stops, {});
}

Captures::~Captures() {
    if (look_ != 0) reactor_.cancelTimer(look_);
    while (!running_.empty())
        end(running_.back().connection);
}

Captures::Outcome Captures::begin(const Client& client, std::chrono::seconds time) {
    if (files_ == nullptr) return {409, "captures are off: HttpCaptureFolder names no folder"};
    // Connections that have ended need no time any more.
    std::erase_if(running_, [&](const Running& r) {
        if (!r.wire.expired()) return false;
        reactor_.cancelTimer(r.timer);
        return true;
    });
    if (std::ranges::find(running_, client.connection, &Running::connection) != running_.end())
        return {409, "this connection is being captured already, in " + opened_[client.connection]};
    if (running_.size() >= kMostAtOnce)
        return {409, std::to_string(kMostAtOnce) + " captures are under way, as many as there may be at once"};
    const std::weak_ptr<eta::transport::Channel> wire = client::ClientSession::of(client).wire;
    const std::shared_ptr<eta::transport::Channel> channel = wire.lock();
    if (channel == nullptr) return {404, "the connection has ended"};
    (void)files_->takeReport();
    if (setTrace(*channel, true).code != eta::Errc::ok) {
        const std::string why = files_->takeReport();
        return {409, why.empty() ? "the connection cannot be captured" : why};
    }
    std::string said = files_->takeReport();
    constexpr std::string_view kOpened = "XML trace: messages go to ";
    const std::uint64_t connection = client.connection;
    std::string& file = opened_[connection];  // which a later capture goes on with
    if (said.starts_with(kOpened)) file = said.substr(kOpened.size());
    running_.push_back({connection, wire, reactor_.startTimer(time, [this, connection] { end(connection); })});
    if (look_ == 0) lookAtFiles();
    return {200, file};
}

/// The threads that serve connections write the files; what they have to say of them waits for this one.
void Captures::lookAtFiles() {
    for (const std::string& why : files_->takeStops())
        if (log_) log_("a capture has ended early: " + why);
    look_ = running_.empty() ? 0 : reactor_.startTimer(std::chrono::seconds(1), [this] { lookAtFiles(); });
}

void Captures::end(std::uint64_t connection) {
    const auto at = std::ranges::find(running_, connection, &Running::connection);
    if (at == running_.end()) return;
    reactor_.cancelTimer(at->timer);
    if (const auto channel = at->wire.lock()) (void)setTrace(*channel, false);
    running_.erase(at);
}

}  // namespace emissary::hub::ops
