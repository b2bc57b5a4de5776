// The fields that users may have of any item, whatever they ask for (hub.md 11.4).
#pragma once

#include "eta/dictionary/Dictionary.h"
#include "hub/config/HubSettings.h"
#include "hub/core/ViewTable.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace emissary::hub::client {

/// One view or none for each user class. Stage thread only.
class LoginViews {
public:
    /// Texts about fields that the dictionary does not have.
    using Unknown = std::vector<std::string>;

    /// Views of these classes from now on. Throws std::bad_alloc; the views are those of before then.
    Unknown setClasses(const std::vector<UserClassSettings>& classes);
    /// What names of fields stand for from now on. While there is none, a name stands for no field.
    Unknown setDictionary(std::shared_ptr<const eta::dictionary::Dictionary> dictionary);

    /// Null: all fields.
    [[nodiscard]] const reactor::rdm::View* of(const Client& client) const noexcept {
        if (client.userClass == 0 || client.userClass > views_.size()) return nullptr;
        const auto& view = views_[client.userClass - 1u];
        return view ? &*view : nullptr;
    }
    /// What the client may have of `asked`, 0 being all fields: a number with one reference more, or 0 for all fields.
    /// Empty: no number is free. Throws std::bad_alloc.
    [[nodiscard]] std::optional<std::uint16_t> cut(ViewTable& views, const Client& client, std::uint16_t asked) const;

    /// Some class has a view, or had one since the start: open streams may have been cut.
    [[nodiscard]] bool used() const noexcept { return used_; }

private:
    using Views = std::vector<std::optional<reactor::rdm::View>>;
    [[nodiscard]] Views made(const std::vector<UserClassSettings>& classes, Unknown& unknown) const;

    std::vector<UserClassSettings> classes_;
    std::shared_ptr<const eta::dictionary::Dictionary> dictionary_;
    Views views_;  // by class; fields in rising order
    bool used_ = false;
};

}  // namespace emissary::hub::client
