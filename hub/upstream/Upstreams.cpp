// Starts and ends all connections together, and lets single ones come and go.
#include "hub/upstream/Upstreams.h"

#include <algorithm>
#include <array>

namespace emissary::hub::upstream {

namespace {

/// Entries are null once they have moved to another list.
[[nodiscard]] auto named(std::string_view name) {
    return [name](const auto& s) { return s != nullptr && s->name() == name; };
}

}  // namespace

Upstreams::Upstreams(const UpstreamsRooms& rooms, Options options)
    : supply_({rooms.reactor, rooms.items, rooms.services, rooms.flow, rooms.groupStates, rooms.views, options.log}),
      dictionaries_({options.acceptMismatch, options.dictionary, options.log}),
      rooms_{rooms.reactor,  rooms.items,
             rooms.services, rooms.flow,
             rooms.merge,    rooms.groupStates,
             supply_,        rooms.acks,
             options.log,    [this](UpstreamSource& s) { dictionaries_.offered(s); }},
      download_(options.download) {
    rooms.merge.use(Source::kUpstream, supply_, supply_);
    for (const SourceSettings& settings : options.sources)
        sources_.push_back(std::make_unique<UpstreamSource>(settings, ++last_, rooms_, download_));
}

void Upstreams::start() {
    for (const auto& source : sources_)
        source->start();
}

void Upstreams::shutdown() {
    for (const auto* const list : {&sources_, &leaving_})
        for (const auto& source : *list)
            source->shutdown();
}

// --- other settings --------------------------------------------------------------------------------------------------

UpstreamSource* Upstreams::find(std::string_view name) const noexcept {
    const auto at = std::ranges::find_if(sources_, named(name));
    return at == sources_.end() ? nullptr : at->get();
}

/// The one behind the last, so that what is still known by a number of a source that has left is of no other soon.
std::uint16_t Upstreams::freeNumber(const Fresh& fresh) noexcept {
    std::uint64_t bits = 0;
    const std::array<const Fresh*, 3> lists{&sources_, &leaving_, &fresh};
    for (const auto* const list : lists)
        for (const auto& source : *list)
            bits |= Lanes::bit(*source);
    const auto taken = [&](std::uint16_t number) {
        return std::ranges::any_of(lists, [&](const auto* list) {
            return std::ranges::any_of(*list, [&](const auto& s) { return s->number() == number; });
        });
    };
    for (int left = kNumbers - 1; left > 0; --left) {
        last_ = last_ + 1 >= kNumbers ? std::uint16_t{1} : static_cast<std::uint16_t>(last_ + 1);
        if (~bits != 0 && (bits >> (last_ & 63) & 1) != 0) continue;
        if (!taken(last_)) return last_;
    }
    return 0;
}

std::optional<Upstreams::Fresh> Upstreams::prepare(const std::vector<SourceSettings>& next) {
    Fresh fresh;
    for (const SourceSettings& settings : next) {
        if (find(settings.name) != nullptr) continue;
        const std::uint16_t number = freeNumber(fresh);
        if (number == 0) return std::nullopt;
        fresh.push_back(std::make_unique<UpstreamSource>(settings, number, rooms_, download_));
        fresh.back()->useDictionary(spare_);
    }
    return fresh;
}

bool Upstreams::change(const std::vector<SourceSettings>& next, Fresh fresh) {
    std::vector<std::unique_ptr<UpstreamSource>> ordered;
    ordered.reserve(next.size());
    leaving_.reserve(leaving_.size() + sources_.size());
    std::vector<UpstreamSource*> added;
    added.reserve(fresh.size());
    for (const auto& source : fresh)
        added.push_back(source.get());
    std::size_t last = 0;  // behind the place that the one before had among those before
    bool reordered = false;
    for (const SourceSettings& settings : next) {
        const auto was = std::ranges::find_if(sources_, named(settings.name));
        if (was != sources_.end()) {
            const auto place = static_cast<std::size_t>(was - sources_.begin());
            reordered = reordered || place < last;
            last = place;
            ordered.push_back(std::move(*was));
            continue;
        }
        const auto made = std::ranges::find_if(fresh, named(settings.name));
        if (made != fresh.end()) ordered.push_back(std::move(*made));
    }
    std::vector<UpstreamSource*> gone;
    for (auto& source : sources_)
        if (source != nullptr) {
            gone.push_back(source.get());
            leaving_.push_back(std::move(source));
        }
    sources_ = std::move(ordered);
    for (std::size_t i = 0; i < sources_.size(); ++i)
        sources_[i]->setPlace(static_cast<std::uint16_t>(i + 1));
    // Those that come begin first: a service that goes from one to another is without any for a shorter time.
    for (UpstreamSource* const source : added)
        source->start();
    for (UpstreamSource* const source : gone)
        source->leave([this, source] {
            supply_.forget(*source);
            std::erase_if(leaving_, [&](const auto& s) { return s.get() == source; });
        });
    for (const auto& source : sources_)
        if (const auto settings = std::ranges::find(next, source->name(), &SourceSettings::name);
            settings != next.end())
            source->change(*settings);
    supply_.settingsChanged();
    return reordered;
}

}  // namespace emissary::hub::upstream
