// hub/main: what the pages show of the hub's mesh.
#pragma once

#include "hub/node/Hub.h"
#include "hub/ops/Inspector.h"

#include <optional>

namespace emissary::hub {

/// The mesh as a line among the sources; none: the hub is in no mesh.
[[nodiscard]] std::optional<ops::SourceRow> meshSource(const Hub& hub);
/// All of it: peers, lanes, who owns what. On the stage's thread; looks at no single item.
[[nodiscard]] std::optional<ops::MeshRow> meshRow(const Hub& hub);

}  // namespace emissary::hub
