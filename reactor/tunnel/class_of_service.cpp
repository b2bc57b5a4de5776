// The class of service as a filter list (tunnel.md 1.3).
#include "eta/codec/containers.h"
#include "eta/codec/encoders.h"
#include "eta/codec/primitives.h"
#include "reactor/tunnel/ClassOfService.h"

namespace emissary::reactor::tunnel {

using namespace eta::codec;
using eta::Errc;
using eta::Error;

namespace {

enum Part : std::uint8_t { common = 1, authentication = 2, flowControl = 3, dataIntegrity = 4, guarantee = 5 };
constexpr std::uint8_t kSet = 2, kClear = 3;  // actions of a filter entry

[[nodiscard]] constexpr std::uint32_t bit(Part part) noexcept {
    return 1u << (part - 1u);
}

/// Of the elements of one part; what is not there leaves its place as it is.
// What an entry lacks keeps the value it has, so a peer may send only what it wants changed.
struct Values {
    ClassOfService& out;

    [[nodiscard]] Error take(const ElementEntry& e, std::uint64_t most, auto& into) const noexcept {
        std::uint64_t v = 0;
        if (e.type != DataType::UInt) return {Errc::unsupportedType, 0};
        switch (decodeUInt(e.data, v)) {
        case Decoded::blank:
            return {};
        case Decoded::malformed:
            return {Errc::badLength, 0};
        case Decoded::value:
            break;
        }
        // A value that is too large for its place makes the whole class of service unreadable.
        if (v > most) return {Errc::badValue, 0};
        into = static_cast<std::remove_reference_t<decltype(into)>>(v);
        return {};
    }
    [[nodiscard]] Error takeByte(const ElementEntry& e, std::uint8_t& into) const noexcept {
        return take(e, 255, into);
    }

    [[nodiscard]] Error inCommon(const ElementEntry& e, std::string_view name) const noexcept {
        if (name == ":MaxMsgSize") return take(e, UINT64_MAX, out.maxMsgSize);
        if (name == ":MaxFragmentSize") return take(e, UINT64_MAX, out.maxFragmentSize);
        if (name == ":SupportsFragmentation") return take(e, UINT64_MAX, out.supportsFragmentation);
        if (name == ":ProtocolType") return takeByte(e, out.protocolType);
        if (name == ":ProtocolMajorVersion") return takeByte(e, out.protocolMajorVersion);
        if (name == ":ProtocolMinorVersion") return takeByte(e, out.protocolMinorVersion);
        if (name == ":StreamVersion") return takeByte(e, out.streamVersion);
        return {};
    }
    [[nodiscard]] Error inFlowControl(const ElementEntry& e, std::string_view name) const noexcept {
        if (name != ":RecvWindowSize") return name == ":Type" ? takeByte(e, out.flowControl) : Error{};
        if (e.type != DataType::Int) return {Errc::unsupportedType, 0};
        return decodeInt(e.data, out.recvWindowSize) == Decoded::malformed ? Error{Errc::badLength, 0} : Error{};
    }
    [[nodiscard]] Error in(std::uint8_t part, const ElementEntry& e) const noexcept {
        const std::string_view name = eta::asText(e.name);
        switch (part) {
        case common:
            return inCommon(e, name);
        case flowControl:
            return inFlowControl(e, name);
        case authentication:
            return name == ":Type" ? takeByte(e, out.authentication) : Error{};
        case dataIntegrity:
            return name == ":Type" ? takeByte(e, out.dataIntegrity) : Error{};
        case guarantee:
            return name == ":Type" ? takeByte(e, out.guarantee) : Error{};
        default:
            return {};
        }
    }
};

/// Entry `common` of the filter list (rdm.md, classes of service): versions, and sizes in bytes.
void writeCommon(ElementListEncoder& list, const ClassOfService& cos, Writer by) noexcept {
    if (by == Writer::provider) {
        // A consumer says nothing of sizes: they are the provider's.
        const bool old = cos.streamVersion <= kOldStreamVersion;
        list.addUInt(":MaxMsgSize", old ? cos.maxFragmentSize : cos.maxMsgSize);
        if (!old) {
            list.addUInt(":MaxFragmentSize", cos.maxFragmentSize);
            list.addUInt(":SupportsFragmentation", cos.supportsFragmentation ? 1 : 0);
        }
    }
    list.addUInt(":ProtocolType", cos.protocolType);
    list.addUInt(":ProtocolMajorVersion", cos.protocolMajorVersion);
    list.addUInt(":ProtocolMinorVersion", cos.protocolMinorVersion);
    list.addUInt(":StreamVersion", cos.streamVersion);
}

/// One entry of the filter list, as the end `by` of the tunnel says it.
void writePart(ElementListEncoder& list, Part part, const ClassOfService& cos, Writer by) noexcept {
    switch (part) {
    case common:
        return writeCommon(list, cos, by);
    case authentication:
        return list.addUInt(":Type", cos.authentication);
    case flowControl:
        list.addUInt(":Type", cos.flowControl);
        return list.addInt(":RecvWindowSize", cos.recvWindowSize);
    case dataIntegrity:
        return list.addUInt(":Type", cos.dataIntegrity);
    case guarantee:
        return list.addUInt(":Type", cos.guarantee);
    }
}

}  // namespace

std::uint32_t filterOf(const ClassOfService& cos) noexcept {
    // The common part is always there; the others only when they differ from none.
    return bit(common) | (cos.authentication != 0 ? bit(authentication) : 0) |
           (cos.flowControl != 0 ? bit(flowControl) : 0) | (cos.dataIntegrity != 0 ? bit(dataIntegrity) : 0) |
           (cos.guarantee != 0 ? bit(guarantee) : 0);
}

Error encode(eta::BeWriter& out, const ClassOfService& cos, Writer by) noexcept {
    const std::uint32_t parts = filterOf(cos);
    FilterListEncoder filter;
    filter.begin(out, DataType::ElementList);
    for (const Part part : {common, authentication, flowControl, dataIntegrity, guarantee}) {
        if ((parts & bit(part)) == 0) continue;
        filter.beginEntry(kSet, part, DataType::ElementList, nullptr, true);
        ElementListEncoder list;
        list.begin(filter.writer());
        writePart(list, part, cos, by);
        (void)list.complete();  // failure latches in the writer
        filter.endEntry();
    }
    return filter.complete();
}

Error decode(eta::Bytes in, ClassOfService& out) noexcept {
    out = {};
    FilterListDecoder filter;
    if (const Error e = filter.start(in); !e.ok()) return e;
    for (FilterEntry part; filter.next(part);) {
        // Unknown parts are left out, so that a newer peer is understood.
        if (part.action == kClear || part.id < common || part.id > guarantee) continue;
        if (part.type != DataType::ElementList) return {Errc::unsupportedType, 0};
        ElementListDecoder list;
        if (const Error e = list.start(part.data); !e.ok()) return e;
        for (ElementEntry element; list.next(element);)
            if (const Error e = Values{out}.in(part.id, element); !e.ok()) return e;
        if (!list.error().ok()) return list.error();
    }
    if (out.streamVersion <= kOldStreamVersion) {
        // Without fragments the longest message is the longest piece.
        out.maxFragmentSize = out.maxMsgSize;
        out.supportsFragmentation = false;
    }
    return filter.error();
}

}  // namespace emissary::reactor::tunnel
