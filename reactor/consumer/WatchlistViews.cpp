// Views of shared streams: the wire carries the union of what the sharers want (rdm.md 6.4).
#include "consumer/Watchlist.h"
#include "eta/codec/containers.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void Watchlist::setView(Request& r, SharedView view) {
    r.hasView = view != nullptr;
    if (!view) {
        views_.erase(r.handle);
        return;
    }
    r.hasExtras = true;
    views_[r.handle] = std::move(view);
    if (r.stream != nullptr) r.stream->viewed = true;
}

const View* Watchlist::viewOf(const Request& r) const noexcept {
    if (!r.hasView) return nullptr;
    const auto it = views_.find(r.handle);
    return it != views_.end() ? it->second.get() : nullptr;
}

/// Field ids and element names cannot be asked for in one request.
bool Watchlist::viewsClash(const Stream& s, const View& view, const Request* except) const noexcept {
    if (!s.viewed) return false;
    for (const Request* r = s.first; r != nullptr; r = r->next) {
        const View* other = r != except ? viewOf(*r) : nullptr;
        if (other != nullptr && other->kind != view.kind) return true;
    }
    return false;
}

/// What the wire request should ask for; null = everything. Those who wait for an image of their own come later.
SharedView Watchlist::mergedView(const Stream& s) const {
    if (!supportsView_) return nullptr;
    SharedView all;
    std::shared_ptr<View> own;  // all, once it is not just one sharer's
    bool any = false;
    for (const Request* r = s.first; r != nullptr; r = r->next) {
        if (r->state == Request::State::waiting) continue;
        any = true;
        if (!r->hasView) return nullptr;
        const SharedView& view = views_.find(r->handle)->second;
        if (!all) {
            all = view;
        } else if (!all->covers(*view)) {
            if (!own) all = own = std::make_shared<View>(*all);
            own->add(*view);
        }
    }
    if (any) return all;
    const auto it = wireViews_.find(&s);
    return it != wireViews_.end() ? it->second : nullptr;
}

/// The refresh that is under way will have what this one wants.
bool Watchlist::coveredByWire(const Stream& s, const Request& r) const noexcept {
    const auto it = wireViews_.find(&s);
    if (!supportsView_ || it == wireViews_.end() || !it->second) return true;
    const View* view = viewOf(r);
    return view != nullptr && it->second->covers(*view);
}

bool Watchlist::viewChanged(const Stream& s) const {
    if (!s.viewed || !supportsView_) return false;
    const auto it = wireViews_.find(&s);
    return !sameView(mergedView(s), it != wireViews_.end() ? it->second : nullptr);
}

/// A request goes out: with it the image changes for everybody when the view does.
void Watchlist::takeWireView(Stream& s, bool wantsImage) {
    SharedView now = mergedView(s);
    SharedView& wire = wireViews_[&s];
    if (wantsImage && s.established && !sameView(now, wire)) s.viewPending = true;
    wire = std::move(now);
}

void Watchlist::forgetWireView(Stream& s) noexcept {
    wireViews_.erase(&s);
    s.viewPending = false;
}

/// The view's elements, then those that the application's request had beside them.
void Watchlist::writePayload(const Stream& s, Msg& m) {
    const auto it = wireViews_.find(&s);
    if (it == wireViews_.end() || !it->second) return;
    ElementListEncoder list;
    list.begin(payload_.start());
    it->second->encode(list);
    if (m.containerType == DataType::ElementList) {
        ElementListDecoder more;
        ElementEntry e;
        if (more.start(m.payload).ok())
            while (more.next(e))
                list.add(eta::asText(e.name), e.type, e.data);
    }
    if (!list.complete().ok()) return;
    m.flags |= RequestFlag::view;
    m.containerType = DataType::ElementList;
    m.payload = payload_.view();
}

}  // namespace emissary::reactor::consumer
