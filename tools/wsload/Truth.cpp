// tools/wsload: reads the feed's file and compares.
#include "Truth.h"

#include "eta/core/printable.h"

#include <charconv>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace emissary::wsload {

Truth::Truth(const std::string& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read the truth file " + file);
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        const auto first = line.find(','), second = line.find(',', first + 1);
        Last last;
        const char* const from = line.data() + first + 1;
        if (second == line.npos ||
            std::from_chars(from, line.data() + second, last.sequence).ptr != line.data() + second)
            throw std::runtime_error(file + ":" + std::to_string(number) + ": is not name,SEQNUM,BID");
        last.bid = line.substr(second + 1);
        last_[line.substr(0, first)] = last;
    }
}

std::uint64_t Truth::compare(const Client& client, const Items& items, std::vector<std::string>& differences) const {
    std::uint64_t different = 0;
    for (const Stream& s : client.streams()) {
        const std::string& name = items.name(s.item);
        const auto at = last_.find(name);
        const std::string bid(s.bid());
        const bool same =
            at != last_.end() && s.image && s.sequence == at->second.sequence &&
            // As numbers: JSON may write 1.5 where the feed wrote 1.50. A view may lack the field, and then the
            // sequence number decides.
            (bid.empty() || std::strtod(bid.c_str(), nullptr) == std::strtod(at->second.bid.c_str(), nullptr));
        if (same) continue;
        if (++different == 0 || differences.size() >= 5) continue;
        differences.push_back(
            client.user() + " ends " + name + " with " +
            (s.image ? "SEQNUM " + std::to_string(s.sequence) + ", BID " + eta::printable(bid) : "no image") +
            (at == last_.end() ? ", which the feed does not have"
                               : "; the feed with " + std::to_string(at->second.sequence) + ", " + at->second.bid));
    }
    return different;
}

}  // namespace emissary::wsload
