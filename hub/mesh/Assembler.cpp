// hub/mesh: fragments come in the order of their sequences, or the message is lost.
#include "hub/mesh/Assembler.h"

namespace emissary::hub::mesh {

Assembler::Result Assembler::add(const Header& header, Bytes records, std::size_t mostBytes) {
    if ((header.flags & kFirst) != 0) {
        block_.clear();
        count_ = header.records;
    } else if (next_ == 0 || header.sequence != next_ || header.records != count_) {
        clear();
        return Result::broken;
    }
    if (records.size() > mostBytes - std::min(mostBytes, block_.size())) {
        clear();
        return Result::broken;
    }
    block_.insert(block_.end(), records.begin(), records.end());
    next_ = (header.flags & kLast) != 0 ? 0 : header.sequence + 1;
    return next_ == 0 ? Result::complete : Result::waits;
}

}  // namespace emissary::hub::mesh
