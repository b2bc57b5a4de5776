// Starts and ends all connections together.
#include "hub/upstream/Upstreams.h"

namespace emissary::hub::upstream {

Upstreams::Upstreams(const UpstreamsRooms& rooms, Options options)
    : supply_({rooms.reactor, rooms.items, rooms.services, rooms.flow, rooms.groupStates, rooms.views}),
      dictionaries_({options.acceptMismatch, options.dictionary, options.log}) {
    rooms.merge.use(Source::Kind::upstream, supply_, supply_);
    const UpstreamRooms each{rooms.reactor,  rooms.items,
                             rooms.services, rooms.flow,
                             rooms.merge,    rooms.groupStates,
                             supply_,        rooms.acks,
                             options.log,    [this](UpstreamSource& s) { dictionaries_.offered(s); }};
    for (const SourceSettings& settings : options.sources)
        sources_.push_back(std::make_unique<UpstreamSource>(settings, static_cast<std::uint16_t>(sources_.size() + 1),
                                                            each, options.download));
}

void Upstreams::start() {
    for (const auto& source : sources_)
        source->start();
}

void Upstreams::shutdown() {
    for (const auto& source : sources_)
        source->shutdown();
}

}  // namespace emissary::hub::upstream
