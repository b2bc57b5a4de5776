// Merges the views of sharers, and notices when the union has changed.
#include "watchlist/Views.h"

#include "eta/codec/containers.h"

namespace emissary::reactor::consumer {

using namespace eta::codec;

void Views::set(Request& r, SharedView view) {
    r.hasView = view != nullptr;
    if (!view) {
        views_.erase(r.handle());
        return;
    }
    r.hasExtras = true;
    views_[r.handle()] = std::move(view);
    if (r.stream != nullptr) r.stream->viewed = true;
}

SharedView Views::of(const Request& r) const {
    const auto it = views_.find(r.handle());
    return it != views_.end() ? it->second : nullptr;
}

const View* Views::find(const Request& r) const noexcept {
    if (!r.hasView) return nullptr;
    const auto it = views_.find(r.handle());
    return it != views_.end() ? it->second.get() : nullptr;
}

bool Views::clash(const Stream& s, const View& view, const Request* except) const noexcept {
    if (!s.viewed) return false;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r)) {
        const View* other = r != except ? find(*r) : nullptr;
        if (other != nullptr && other->kind != view.kind) return true;
    }
    return false;
}

/// What the wire request should ask for; null = everything. Those who wait for an image of their own come later.
SharedView Views::merged(const Stream& s) const {
    if (!context_.supportsView) return nullptr;
    SharedView all;
    std::shared_ptr<View> own;  // all, once it is not just one sharer's
    bool any = false;
    for (const Request* r = s.first(); r != nullptr; r = s.after(*r)) {
        if (r->state == Request::State::waiting) continue;
        any = true;
        if (!r->hasView) return nullptr;
        const SharedView& view = views_.find(r->handle())->second;
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

bool Views::covered(const Stream& s, const Request& r) const noexcept {
    const auto it = wireViews_.find(&s);
    if (!context_.supportsView || it == wireViews_.end() || !it->second) return true;
    const View* view = find(r);
    return view != nullptr && it->second->covers(*view);
}

bool Views::changed(const Stream& s) const {
    if (!s.viewed || !context_.supportsView) return false;
    const auto it = wireViews_.find(&s);
    return !sameView(merged(s), it != wireViews_.end() ? it->second : nullptr);
}

void Views::take(Stream& s, bool wantsImage) {
    SharedView now = merged(s);
    SharedView& wire = wireViews_[&s];
    if (wantsImage && s.life.hasImage() && !sameView(now, wire)) s.said.otherView = true;
    wire = std::move(now);
}

void Views::write(const Stream& s, Msg& m) {
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
