// tools/wsload: the last values of the feed, compared with what the clients have.
#pragma once

#include "Client.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace emissary::wsload {

/// Made of the file that webfeed writes when its updates stop: "name,SEQNUM,BID" a line.
class Truth {
public:
    /// Throws std::runtime_error when the file cannot be read or is not of this kind.
    explicit Truth(const std::string& file);
    /// Streams of the client that end otherwise, appended as sentences to `differences` up to five; the number of them.
    [[nodiscard]] std::uint64_t compare(const Client& client, const Items& items,
                                        std::vector<std::string>& differences) const;
    [[nodiscard]] std::size_t size() const { return last_.size(); }

private:
    struct Last {
        std::uint64_t sequence = 0;
        std::string bid;
    };
    std::unordered_map<std::string, Last> last_;
};

}  // namespace emissary::wsload
