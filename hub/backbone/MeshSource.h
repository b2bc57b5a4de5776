// hub/backbone: the other hubs of the mesh as one source among those of this hub.
#pragma once

#include "hub/core/Source.h"

#include <string>

namespace emissary::hub::backbone {

class Imports;

/// All other hubs together, as one source of items.
class MeshSource final : public Source {
public:
    static constexpr std::uint16_t kNumber = 0xFFFF;
    MeshSource(const std::string& mesh, Imports& imports) : Source(kMesh, "mesh " + mesh, kNumber), imports_(imports) {}
    [[nodiscard]] bool up() const noexcept override { return up_; }
    void up(bool is) noexcept { up_ = is; }
    [[nodiscard]] bool takesPosts() const noexcept override { return true; }
    /// closed: no hub that would have to take it is reached; noBuffers, badLength: bounds; badValue: the message inside
    /// names another service; usage: the mesh cannot name the item, or the parts of the post have no id.
    eta::Error post(const Client& client, Item* item, std::uint16_t service, Msg& msg) override;
    /// It goes as a post does that asks for no ack; without an item to a hub that has the service of its key.
    eta::Error generic(Item* item, Msg& msg) override;
    [[nodiscard]] bool comesFirst(std::uint16_t id) const noexcept override;

private:
    Imports& imports_;
    bool up_ = false;
};

}  // namespace emissary::hub::backbone
