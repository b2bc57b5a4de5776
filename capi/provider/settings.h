// capi/provider: what the configurations of both kinds of providers have in common.
#pragma once

#include <cstdint>
#include <string>

namespace emissary::capi {

/// An XML element with this value.
[[nodiscard]] std::string value(const char* name, const std::string& text);
/// Entries of `Capabilities` for the market data domains.
[[nodiscard]] std::string capabilities();
/// The group with the dictionary files of a folder, by the name F.
[[nodiscard]] std::string dictionaryGroup(const std::string& folder);
/// 0 stands for market price; throws Failure for one that items cannot have.
[[nodiscard]] std::uint16_t checkedDomain(std::uint32_t domain);

}  // namespace emissary::capi
