// capi/calls: a configuration text where the library finds it as a file: in memory, under a name of this process.
#pragma once

#include "calls/calls.h"

#include <cerrno>
#include <cstring>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

namespace emissary::capi {

/// A configuration text where the library finds it as a file.
class TextFile {
public:
    explicit TextFile(const std::string& text) : file_(memfd_create("EmaConfig.xml", MFD_CLOEXEC)) {
        if (file_ < 0)
            throw Failure(EMI_E_OTHER, std::string("no memory file for the configuration: ") + std::strerror(errno));
        for (std::size_t done = 0; done < text.size();) {
            const auto wrote = write(file_, text.data() + done, text.size() - done);
            if (wrote <= 0) {
                const std::string why = std::strerror(errno);
                ::close(file_);
                throw Failure(EMI_E_OTHER, "the configuration's text cannot be stored in memory: " + why);
            }
            done += static_cast<std::size_t>(wrote);
        }
    }
    ~TextFile() { ::close(file_); }
    TextFile(const TextFile&) = delete;
    TextFile& operator=(const TextFile&) = delete;
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
    int file_;
};

}  // namespace emissary::capi
