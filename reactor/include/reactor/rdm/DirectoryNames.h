// The names of services, for messages in JSON (json.md 9.3).
#pragma once

#include "eta/json/Converter.h"
#include "reactor/rdm/Directory.h"

#include <algorithm>
#include <string>
#include <vector>

namespace emissary::reactor::rdm {

/// Service names of a directory, which is borrowed and read for every message; null: no names. Lives under the lock of
/// the directory.
class DirectoryNames final : public eta::json::ServiceNames {
public:
    explicit DirectoryNames(const Directory* directory = nullptr) noexcept : directory_(directory) {}  ///< borrows it

    /// Borrows others. `only`: the names that have an id, in order; null: all.
    void use(const Directory* directory, const std::vector<std::string>* only = nullptr) noexcept {
        directory_ = directory;
        only_ = only;
    }
    [[nodiscard]] std::optional<std::uint16_t> idOf(std::string_view serviceName) const noexcept override {
        if (directory_ == nullptr || (only_ != nullptr && !std::ranges::binary_search(*only_, serviceName))) return {};
        const Service* const service = directory_->find(serviceName);
        return service == nullptr ? std::nullopt : std::optional(service->id);
    }
    [[nodiscard]] std::string_view nameOf(std::uint16_t serviceId) const noexcept override {
        const Service* const service = directory_ == nullptr ? nullptr : directory_->find(serviceId);
        return service == nullptr ? std::string_view{} : std::string_view(service->name());
    }

private:
    const Directory* directory_;
    const std::vector<std::string>* only_ = nullptr;
};

}  // namespace emissary::reactor::rdm
