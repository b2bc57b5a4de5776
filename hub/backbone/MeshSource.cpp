// The mesh as a source: posts and generic messages go to the imports, which know the item's hub.
#include "hub/backbone/MeshSource.h"

#include "hub/backbone/Imports.h"

namespace emissary::hub::backbone {

bool MeshSource::comesFirst(std::uint16_t id) const noexcept {
    return imports_.comesFirst(id);
}

eta::Error MeshSource::post(const Client& client, Item* item, std::uint16_t service, Msg& msg) {
    return imports_.post(client, item, service, msg);
}

eta::Error MeshSource::generic(Item* item, Msg& msg) {
    return item != nullptr ? imports_.generic(*item, msg) : imports_.generic(msg.key.serviceId, msg);
}

}  // namespace emissary::hub::backbone
