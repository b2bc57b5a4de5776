// The calls that a layer (JSON) may make on its link, as long as up() is true.
#include "loop/ReactorImpl.h"

#include <mutex>

namespace emissary::reactor {

Link& LinkBelow::link() const noexcept {
    return *impl_->self;
}
LinkHandler& LinkBelow::handler() const noexcept {
    return *impl_->handler;
}
TimePoint LinkBelow::now() const noexcept {
    return impl_->reactor->turnTime;
}
bool LinkBelow::up() const noexcept {
    return (gone_ == nullptr || !*gone_) && impl_->phase == Link::Impl::Phase::active;
}

bool LinkBelow::held() const noexcept {
    return impl_->held;
}

bool LinkBelow::deliver(Bytes message) const {
    Reactor::Impl& r = *impl_->reactor;
    impl_->handler->onLinkMessage(*impl_->self, message);
    if (gone_ != nullptr && *gone_) return false;
    r.letWaitersIn();
    return up();
}

Error LinkBelow::write(Bytes message) const noexcept {
    return impl_->write(message);
}
void LinkBelow::down(const std::string& reason, std::uint16_t code) const {
    if (impl_->channel != nullptr) {
        const std::lock_guard guard(impl_->channel->outputLock());
        (void)impl_->channel->finish(code, reason);
    }
    impl_->down(reason, false);
}

}  // namespace emissary::reactor
