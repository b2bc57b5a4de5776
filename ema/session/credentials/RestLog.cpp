#include "session/credentials/RestLog.h"

#include <utility>

namespace emissary::ema {

bool RestLog::write(const std::string& entry) {
    if (!options_.toFile || failed_) return true;
    std::FILE* to = stdout;
    if (!options_.fileName.empty()) {
        if (!file_) file_.reset(std::fopen(options_.fileName.c_str(), "ae"));
        to = file_.get();
    }
    const bool good =
        to != nullptr && std::fwrite(entry.data(), 1, entry.size(), to) == entry.size() && std::fflush(to) == 0;
    failed_ = !good;
    return good;
}

}  // namespace emissary::ema
