// Failed handshakes, gathered by their reason until the next line of the log may be written.
#include "provider/HandshakeReports.h"

#include <algorithm>

namespace emissary::reactor {

void HandshakeReports::failed(const std::string& text, const std::string& peer) {
    if (timer_ == 0) return report({{}, text, 1});
    const bool named = !peer.empty() && text.starts_with(peer + ": ");
    const std::string reason = text.substr(named ? peer.size() + 2 : 0);
    auto at = std::ranges::find(waiting_, reason, &Waiting::reason);
    if (at == waiting_.end() && waiting_.size() < kReasons) at = waiting_.insert(at, {reason, {}, 0});
    // Beyond kReasons the rest is counted under one line.
    if (at == waiting_.end()) {
        at = std::ranges::find(waiting_, std::string(), &Waiting::reason);
        if (at == waiting_.end()) at = waiting_.insert(at, {{}, "several other reasons", 0});
    } else at->text = text;
    ++at->failures;
}

void HandshakeReports::report(const Waiting& of) {
    timer_ = context_.reactor.startTimer(kPeriod, [this] { reportNext(); });
    context_.handler.onHandshakeFailed(of.text, of.failures - 1);
}

void HandshakeReports::reportNext() {
    timer_ = 0;
    if (waiting_.empty()) return;
    const Waiting first = std::move(waiting_.front());
    waiting_.erase(waiting_.begin());
    report(first);
}

}  // namespace emissary::reactor
