// JSON on the wire, RWF above: the layer for links whose channel agreed on a JSON protocol (json.md 9, 10).
#pragma once

#include "eta/json/Converter.h"
#include "reactor/LinkLayer.h"

#include <functional>
#include <memory>

namespace emissary::reactor {

/// How JSON connections convert and what a failure does to them.
struct JsonOptions {
    eta::json::Options conversion;
    bool closeOnFailure = true;  ///< a text that is not JSON, or an Error of the peer, ends the connection
    bool sendErrors = true;      ///< what cannot be converted is answered with an Error message
};

/// For ReactorOptions::jsonLayer.
[[nodiscard]] std::function<std::unique_ptr<LinkLayer>()> jsonLayer(const JsonOptions& options = {});

}  // namespace emissary::reactor
