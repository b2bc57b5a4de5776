// The slow path of BeWriter, where a full block grows through its owner or the failure latches, and the words of
// errors.
#include "eta/core/bytes.h"

namespace emissary::eta {

std::byte* BeWriter::more(std::size_t n) noexcept {
    if (failure_ != Errc::ok || grow_ == nullptr) return fail(Errc::noSpace), nullptr;
    const std::size_t used = size();
    const auto block = grow_(owner_, used, used + n);
    if (block.size() < used + n) return fail(Errc::noSpace), nullptr;
    begin_ = block.data();
    pos_ = begin_ + used;
    end_ = begin_ + block.size();
    return pos_;
}

const char* describe(Errc code) noexcept {
    switch (code) {
    case Errc::ok:
        return "ok";
    case Errc::truncated:
        return "input ends inside a value";
    case Errc::badLength:
        return "length that the type cannot have";
    case Errc::badValue:
        return "value that cannot be right";
    case Errc::unsupportedType:
        return "type that cannot appear here";
    case Errc::tooDeep:
        return "nested too deeply";
    case Errc::tooManySets:
        return "more than 15 local set definitions";
    case Errc::illegalSet:
        return "local set definition id above 15";
    case Errc::duplicateSet:
        return "local set definition given twice";
    case Errc::missingSet:
        return "set definition not known";
    case Errc::noSpace:
        return "output does not fit";
    case Errc::outOfRange:
        return "value out of range for its wire form";
    case Errc::usage:
        return "call out of order";
    case Errc::notFound:
        return "not found";
    case Errc::closed:
        return "channel is closed";
    case Errc::refused:
        return "refused by the peer";
    case Errc::timeout:
        return "timed out";
    case Errc::protocol:
        return "peer broke the transport protocol";
    case Errc::system:
        return "operating system error";
    case Errc::noBuffers:
        return "output buffers exhausted";
    }
    return "unknown error";
}

}  // namespace emissary::eta
