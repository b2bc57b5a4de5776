// The rows of the inspector as JSON texts.
#pragma once

#include "hub/ops/Inspector.h"

#include <string>

namespace emissary::hub::ops {

/// {"clients":N,"shown":n,"connections":[...]}
[[nodiscard]] std::string queueAsJson(const QueueRow& queue);
[[nodiscard]] std::string clientsAsJson(const ClientRows& rows);
/// {"hub","draining","clients","items","listeners":[...],"sources":[...],"services":[...]}
[[nodiscard]] std::string overviewAsJson(const Overview& overview, const std::string& hubName);
/// {"mesh","node","server","error",...,"peers":[{...,"services":[...]}],"services":[...]}
[[nodiscard]] std::string meshAsJson(const MeshRow& mesh);
/// One item; "image" is its refresh as a JSON message, or a sentence on why there is none.
[[nodiscard]] std::string itemAsJson(const ItemRow& item);

}  // namespace emissary::hub::ops
