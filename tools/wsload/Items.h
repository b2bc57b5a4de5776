// Names of the items, and which of them each client takes.
#pragma once

#include "Options.h"

#include <string>
#include <vector>

namespace emissary::wsload {

/// Constant once made; any thread.
class Items {
public:
    /// Throws std::runtime_error when there are too few items, or their file cannot be read.
    explicit Items(const Options& options);
    [[nodiscard]] const std::string& name(std::uint32_t item) const { return names_[item]; }
    [[nodiscard]] std::size_t size() const { return names_.size(); }
    /// Different ones, `streams` of them; the same for the same client and seed.
    [[nodiscard]] std::vector<std::uint32_t> of(unsigned client) const;

private:
    const Options& options_;
    std::vector<std::string> names_;
    std::vector<double> weights_;  // sums of 1/rank, for zipf
};

}  // namespace emissary::wsload
