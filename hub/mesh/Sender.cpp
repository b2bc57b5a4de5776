// Names of subjects (hub.md 12.1).
#include "hub/mesh/Sender.h"

namespace emissary::hub::mesh {

std::string subject(const MeshOptions& options, std::string_view rest) {
    std::string name = "emh.1.";
    name += options.mesh;
    name += '.';
    name += rest;
    return name;
}

std::string nodeName(std::uint32_t node) {
    std::string name(8, '0');
    for (std::size_t i = 0; i < 8; ++i)
        name[i] = "0123456789abcdef"[node >> (28 - 4 * i) & 15];
    return name;
}

}  // namespace emissary::hub::mesh
