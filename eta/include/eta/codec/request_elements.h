// eta/codec: names of the elements in payloads of requests (rdm.md 6.3, 6.4, 6.6), which JSON, the reactor and the API
// read and write.
#pragma once

#include <cstdint>
#include <string_view>

namespace emissary::eta::codec {

// Batches: the items to open; the streams to ask for again or to close.
inline constexpr std::string_view kItemList = ":ItemList", kStreamIdList = ":StreamIdList";
// Views: what ":ViewData" lists, and the list.
inline constexpr std::string_view kViewType = ":ViewType", kViewData = ":ViewData";
inline constexpr std::uint8_t kFieldIdView = 1, kElementNameView = 2;
// Symbol lists: how the names in them are to be opened.
inline constexpr std::string_view kSymbolListBehaviors = ":SymbolListBehaviors", kDataStreams = ":DataStreams";

}  // namespace emissary::eta::codec
