// Views of shared streams: the wire carries the union of what the sharers want (rdm.md 6.4).
#pragma once

#include "reactor/GrowingBuffer.h"
#include "reactor/memory.h"
#include "reactor/rdm/View.h"
#include "watchlist/Context.h"

namespace emissary::reactor::consumer {

using rdm::SharedView;
using rdm::View;

/// Records of the few requests and streams that have a view. Session lock held throughout.
class Views {
public:
    explicit Views(const Context& context) : context_(context) {}

    // --- what a request wants
    /// Null: everything.
    void set(Request& r, SharedView view);
    [[nodiscard]] SharedView of(const Request& r) const;
    /// The request is no more.
    void forget(const Request& r) noexcept { views_.erase(r.handle()); }
    /// Field ids and element names cannot be asked for in one request.
    [[nodiscard]] bool clash(const Stream& s, const View& view, const Request* except) const noexcept;

    // --- what the wire carries
    /// The refresh that is under way will have what this one wants.
    [[nodiscard]] bool covered(const Stream& s, const Request& r) const noexcept;
    [[nodiscard]] bool changed(const Stream& s) const;
    /// A request goes out: with it the image changes for everybody when the view does.
    void take(Stream& s, bool wantsImage);
    /// The wire stream is over.
    void forget(const Stream& s) noexcept { wireViews_.erase(&s); }
    /// Writes the view's elements into a request, then those that the application's request had beside them.
    void write(const Stream& s, eta::codec::Msg& m);

    void trim() noexcept {
        trimTable(views_);
        trimTable(wireViews_);
        trimBuffer(payload_);
    }
    [[nodiscard]] std::size_t places() const noexcept { return views_.bucket_count() + wireViews_.bucket_count(); }

private:
    [[nodiscard]] const View* find(const Request& r) const noexcept;
    [[nodiscard]] SharedView merged(const Stream& s) const;

    const Context& context_;
    ItemMap<Handle, SharedView> views_;
    ItemMap<const Stream*, SharedView> wireViews_;  // as last requested; none = all
    GrowingBuffer payload_;
};

}  // namespace emissary::reactor::consumer
