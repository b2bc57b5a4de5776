// Encodes the message of an XML trace again: header, key, payload.
#include "rwfcat/trace_message.h"

#include "rwfcat/trace_containers.h"

#include "eta/codec/Msg.h"

namespace emissary::rwfcat {

using namespace emissary::eta::codec;
using eta::Bytes;

namespace {

MsgClass classOf(const TraceLine& line) {
    // Message classes have the numbers 1 to 8 (rwf.md 4.1).
    for (unsigned n = 1; n <= 8; ++n)
        if (const auto cls = static_cast<MsgClass>(n); line.element() == eta::trace::elementOf(cls)) return cls;
    line.wrong("no message");
}

/// A message while it is read, with what its views borrow.
struct Building {
    Msg msg;
    ByteVector permData, groupId, stateText, ackText, header, payload;
    struct Key {
        ByteVector name, attrib;
    } key, requestKey;
};

// An address is four numbers with points; it has no other form here.
void readPostUser(TraceLine& line, Msg& m) {
    m.postUserId = static_cast<std::uint32_t>(line.number("postUserId"));
    std::string_view address = line.plain("postUserAddr");
    for (int n = 0; n < 4; ++n) {
        const auto end = address.find('.');
        m.postUserAddress = m.postUserAddress << 8 |
                            (static_cast<std::uint32_t>(std::atoi(std::string(address.substr(0, end)).c_str())) & 255);
        address = end == address.npos ? std::string_view{} : address.substr(end + 1);
    }
}

/// What stands behind the flags, in the order of the class.
void readAttributes(TraceLine& line, Building& b) {
    Msg& m = b.msg;
    const auto take = [&](const char* name) { return line.number(name); };
    const auto groupId = [&] { b.groupId = line.group("groupId"), m.groupId = Bytes(b.groupId); };
    const auto seqNum = [&] {
        if (m.hasSeqNum()) m.seqNum = static_cast<std::uint32_t>(take("seqNum"));
    };
    const auto partNum = [&] {
        if (m.hasPartNum()) m.partNum = static_cast<std::uint16_t>(take("partNum"));
    };
    const auto permData = [&] {
        if (m.hasPermData()) b.permData = line.hex("permData"), m.permData = Bytes(b.permData);
    };
    // What follows the state tells where its text ends, since the text may contain anything.
    const auto state = [&] {
        m.state = stateOf(line, m.hasPostUserInfo() ? "\" postUserId=\"" : "\"  dataSize=\"", b.stateText);
    };
    switch (m.cls) {
    case MsgClass::Request:
        if (m.has(RequestFlag::qos)) m.qos = line.qos("qos");
        if (m.has(RequestFlag::worstQos)) m.worstQos = line.qos("worstQos");
        if (m.has(RequestFlag::priority)) {
            m.priorityClass = static_cast<std::uint8_t>(take("priorityClass"));
            m.priorityCount = static_cast<std::uint16_t>(take("priorityCount"));
        }
        break;
    case MsgClass::Refresh:
        // The order of the attributes is that of the class, so they are read in that order.
        groupId(), seqNum(), partNum(), permData();
        if (m.hasQos()) m.qos = line.qos("qos");
        state();
        if (m.hasPostUserInfo()) readPostUser(line, m);
        break;
    case MsgClass::Status:
        if (m.hasGroupId()) groupId();
        permData();
        if (m.hasState()) state();
        if (m.hasPostUserInfo()) readPostUser(line, m);
        break;
    case MsgClass::Update:
        // The type is a number with a word behind it.
        m.updateType = static_cast<std::uint8_t>(std::atoi(std::string(line.plain("updateType")).c_str()));
        seqNum(), permData();
        if (m.has(UpdateFlag::confInfo)) {
            m.conflationCount = static_cast<std::uint16_t>(take("conflationCount"));
            m.conflationTime = static_cast<std::uint16_t>(take("conflationTime"));
        }
        if (m.hasPostUserInfo()) readPostUser(line, m);
        break;
    case MsgClass::Close:
        break;
    case MsgClass::Ack:
        m.ackId = static_cast<std::uint32_t>(take("ackId"));
        if (m.has(AckFlag::nakCode)) {
            const std::string_view code = line.plain("nakCode");
            std::uint32_t n = 0;
            if (!code.empty() && !eta::trace::kNakCodes.number(code, n)) line.wrong("nakCode is not known");
            m.nakCode = static_cast<std::uint8_t>(n);
        }
        if (m.has(AckFlag::text)) {
            b.ackText = line.raw("text", m.hasSeqNum() ? "\" seqNum=\"" : "\" dataSize=\"", true);
            m.text = Bytes(b.ackText);
        }
        seqNum();
        break;
    case MsgClass::Generic:
        seqNum();
        if (m.has(GenericFlag::secondarySeqNum))
            m.secondarySeqNum = static_cast<std::uint32_t>(take("secondarySeqNum"));
        partNum(), permData();
        break;
    case MsgClass::Post:
        seqNum();
        if (m.has(PostFlag::postId)) m.postId = static_cast<std::uint32_t>(take("postId"));
        permData(), partNum();
        if (m.has(PostFlag::postUserRights)) m.postUserRights = static_cast<std::uint16_t>(take("postUserRights"));
        readPostUser(line, m);
        break;
    }
}

/// The text that must stand behind a key's name.
// The next attribute ends the name, which may contain quotation marks.
std::string_view behindName(const MsgKey& k) {
    return k.has(KeyFlag::nameType)     ? "\" nameType=\""
           : k.has(KeyFlag::filter)     ? "\" filter=\""
           : k.has(KeyFlag::identifier) ? "\" identifier=\""
           : k.has(KeyFlag::attrib)     ? "\" attribContainerType=\""
                                        : "\"/>";
}

void readKey(TraceLines& in, MsgKey& k, Building::Key& parts) {
    TraceLine line = in.take();
    const std::string element(line.element());
    k.flags = static_cast<std::uint16_t>(line.flags());
    if (k.has(KeyFlag::serviceId)) k.serviceId = static_cast<std::uint16_t>(line.number("serviceId"));
    if (k.has(KeyFlag::name)) parts.name = line.raw("name", behindName(k)), k.name = Bytes(parts.name);
    if (k.has(KeyFlag::nameType)) k.nameType = static_cast<std::uint8_t>(line.number("nameType"));
    if (k.has(KeyFlag::filter)) k.filter = static_cast<std::uint32_t>(line.number("filter"));
    if (k.has(KeyFlag::identifier)) k.identifier = static_cast<std::int32_t>(line.number("identifier"));
    if (!k.has(KeyFlag::attrib)) return;
    k.attribType = line.type("attribContainerType");
    in.expect("<attrib>");
    parts.attrib = contentOf(in, k.attribType, nullptr);
    k.attrib = Bytes(parts.attrib);
    in.expect("</attrib>");
    in.expect("</" + element + ">");
}

}  // namespace

std::vector<std::byte> messageFrom(TraceLines& in) {
    // The version line is for people.
    if (in.next().starts_with("<!-- rwfMajorVer")) static_cast<void>(in.take());
    TraceLine line = in.take();
    Building b;
    Msg& m = b.msg;
    m.cls = classOf(line);
    const std::string element(line.element());
    m.domain = static_cast<std::uint8_t>(line.word("domainType", eta::trace::kDomains));
    m.streamId = static_cast<std::int32_t>(line.number("streamId"));
    m.containerType = line.type("containerType");
    m.flags = static_cast<std::uint16_t>(line.flags());
    readAttributes(line, b);
    if (in.next().starts_with("<key ")) readKey(in, m.key, b.key);
    if (in.next().starts_with("<requestKey ")) {  // there is nobody who sends one, so the encoder writes none
        readKey(in, m.reqKey, b.requestKey);
        constexpr std::uint16_t kBits[] = {
            0, 0, RefreshFlag::reqMsgKey, StatusFlag::reqMsgKey, 0, 0, 0, GenericFlag::reqMsgKey, 0};
        m.flags = static_cast<std::uint16_t>(m.flags & ~kBits[static_cast<std::size_t>(m.cls)]);
    }
    if (in.next().starts_with("<extendedHeader ")) {
        b.header = in.take().hex("data");
        m.extendedHeader = Bytes(b.header);
    }
    in.expect("<dataBody>");
    b.payload = contentOf(in, m.containerType, nullptr);
    m.payload = Bytes(b.payload);
    in.expect("</dataBody>");
    in.expect("</" + element + ">");
    ByteVector block(maxEncodedSize(m));
    eta::BeWriter out{block};
    if (const eta::Error e = encodeMsg(out, m); !e.ok())
        line.wrong(std::string("cannot be encoded: ") + describe(e.code));
    block.resize(out.size());
    return block;
}

std::vector<std::byte> messageOfTrace(const std::vector<std::string_view>& lines) {
    TraceLines in(lines);
    return messageFrom(in);
}

}  // namespace emissary::rwfcat
