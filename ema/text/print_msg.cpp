// toString() of messages (ema-api.md section 15): one line for each member that is there, in a fixed order for each
// class.
#include "text/MsgPrinter.h"

#include "text/hex.h"

namespace emissary::ema {

namespace codec = eta::codec;
using codec::MsgClass;
using eta::asText;
using eta::Bytes;

void Printer::msg(const codec::Msg& msg, const PrintScope& scope, int indent) {
    MsgPrinter(out_, *this).msg(msg, scope, indent);
}

void MsgPrinter::msg(const codec::Msg& msg, const PrintScope& scope, int indent) {
    const char* const name = msgTypeName(msg.cls);
    line(indent, name);
    head(msg, indent + 1);
    switch (msg.cls) {
    case MsgClass::Request:
        requestLines(msg, indent + 1);
        break;
    case MsgClass::Refresh:
        refreshLines(msg, indent + 1);
        break;
    case MsgClass::Status:
        statusLines(msg, indent + 1);
        break;
    case MsgClass::Update:
        updateLines(msg, indent + 1);
        break;
    case MsgClass::Generic:
        genericLines(msg, indent + 1);
        break;
    case MsgClass::Post:
        postLines(msg, indent + 1);
        break;
    case MsgClass::Ack:
        ackLines(msg, indent + 1);
        break;
    case MsgClass::Close:
        break;
    }
    if (msg.hasKey()) key(msg.key, scope, msg.cls != MsgClass::Generic, indent + 1);
    // Updates come without a key; the service is what the session knows of their item.
    else if (scope.hasServiceName && msg.cls != MsgClass::Generic)
        lineWith(indent + 1, "serviceName", scope.serviceName);
    body(msg, scope, indent + 1);
    line(indent, std::string{name}.append("End"));
}

void MsgPrinter::head(const codec::Msg& msg, int indent) {
    lineWith(indent, "streamId", msg.streamId);
    lineWith(indent, "domain", domainName(msg.domain));
}

void MsgPrinter::flag(const codec::Msg& msg, std::uint16_t bit, std::string_view word, int indent) {
    if (msg.has(bit)) line(indent, word);
}

void MsgPrinter::seqNum(const codec::Msg& msg, int indent) {
    if (msg.hasSeqNum()) lineWith(indent, "seqNum", msg.seqNum);
}

void MsgPrinter::partNum(const codec::Msg& msg, int indent) {
    if (msg.hasPartNum()) lineWith(indent, "partNum", msg.partNum);
}

void MsgPrinter::permissionLine(const codec::Msg& msg, int indent) {
    if (msg.hasPermData()) lineWith(indent, "permissionData", hexPairs(asText(msg.permData)));
}

void MsgPrinter::publisher(const codec::Msg& msg, int indent) {
    if (!msg.hasPostUserInfo()) return;
    lineWith(indent, "publisher user address", msg.postUserAddress);
    lineWith(indent, "publisher user id", msg.postUserId);
}

void MsgPrinter::requestLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::RequestFlag;
    flag(msg, Flag::privateStream, "PrivateStream", indent);
    if (!msg.has(Flag::noRefresh)) line(indent, "InitialImage");
    flag(msg, Flag::streaming, "InterestAfterRefresh", indent);
    flag(msg, Flag::pause, "Pause", indent);
    flag(msg, Flag::confInfoInUpdates, "ConflatedInUpdates", indent);
    if (msg.has(Flag::priority)) {
        pad(indent);
        bare("priorityClass", text(msg.priorityClass)).attribute("priorityCount", text(msg.priorityCount));
        out_.append("\n");
    }
    if (msg.hasQos()) {
        const RequestQos qos = requestQos(msg);
        pad(indent);
        // There is no blank between the two: applications compare this text.
        bare("qosRate", requestRateText(qos.rate)).bare("qosTimeliness", requestTimelinessText(qos.timeliness));
        out_.append("\n");
    }
}

void MsgPrinter::refreshLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::RefreshFlag;
    flag(msg, Flag::solicited, "Solicited", indent);
    flag(msg, Flag::complete, "RefreshComplete", indent);
    flag(msg, Flag::privateStream, "PrivateStream", indent);
    flag(msg, Flag::doNotCache, "DoNotCache", indent);
    flag(msg, Flag::clearCache, "ClearCache", indent);
    std::string state;
    appendState(state, msg.state);
    lineWith(indent, "state", state);
    lineWith(indent, "itemGroup", hexPairs(asText(msg.groupId)));
    permissionLine(msg, indent);
    if (msg.hasQos()) lineWith(indent, "qos", timelinessText(msg.qos).append("/").append(rateText(msg.qos)));
    partNum(msg, indent);
    seqNum(msg, indent);
    publisher(msg, indent);
}

void MsgPrinter::statusLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::StatusFlag;
    flag(msg, Flag::privateStream, "PrivateStream", indent);
    flag(msg, Flag::clearCache, "ClearCache", indent);
    if (msg.hasState()) {
        std::string state;
        appendState(state, msg.state);
        lineWith(indent, "state", state);
    }
    if (msg.hasGroupId()) lineWith(indent, "itemGroup", hexPairs(asText(msg.groupId)));
    permissionLine(msg, indent);
    publisher(msg, indent);
}

void MsgPrinter::updateLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::UpdateFlag;
    lineWith(indent, "updateTypeNum", msg.updateType);
    flag(msg, Flag::doNotCache, "DoNotCache", indent);
    flag(msg, Flag::doNotConflate, "DoNotConflate", indent);
    flag(msg, Flag::doNotRipple, "DoNotRipple", indent);
    permissionLine(msg, indent);
    if (msg.has(Flag::confInfo)) {
        lineWith(indent, "conflatedCount", msg.conflationCount);
        lineWith(indent, "conflatedTime", msg.conflationTime);
    }
    seqNum(msg, indent);
    publisher(msg, indent);
}

void MsgPrinter::genericLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::GenericFlag;
    flag(msg, Flag::complete, "MessageComplete", indent);
    seqNum(msg, indent);
    if (msg.has(Flag::secondarySeqNum)) lineWith(indent, "secondarySeqNum", msg.secondarySeqNum);
    partNum(msg, indent);
    permissionLine(msg, indent);
}

void MsgPrinter::postLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::PostFlag;
    flag(msg, Flag::complete, "Complete", indent);
    flag(msg, Flag::ack, "Ack Requested", indent);
    seqNum(msg, indent);
    partNum(msg, indent);
    if (msg.has(Flag::postId)) lineWith(indent, "postId", msg.postId);
    if (msg.has(Flag::postUserRights)) lineWith(indent, "postUserRights", msg.postUserRights);
    permissionLine(msg, indent);
    // Every post has these two, whatever its flags say.
    lineWith(indent, "publisherIdUserId", msg.postUserId);
    lineWith(indent, "publisherIdUserAddress", msg.postUserAddress);
}

void MsgPrinter::ackLines(const codec::Msg& msg, int indent) {
    namespace Flag = codec::AckFlag;
    lineWith(indent, "ackId", msg.ackId);
    flag(msg, Flag::privateStream, "PrivateStream", indent);
    seqNum(msg, indent);
    if (msg.has(Flag::nakCode)) lineWith(indent, "nackCode", nackCodeName(msg.nakCode));
    if (msg.has(Flag::text)) lineWith(indent, "text", asText(msg.text));
}

void MsgPrinter::key(const codec::MsgKey& key, const PrintScope& scope, bool withServiceName, int indent) {
    namespace Flag = codec::KeyFlag;
    if (key.has(Flag::name)) {
        lineWith(indent, "name", asText(key.name));
        if (key.has(Flag::nameType)) lineWith(indent, "nameType", key.nameType);
    }
    if (key.has(Flag::serviceId)) lineWith(indent, "serviceId", key.serviceId);
    if (withServiceName && scope.hasServiceName) lineWith(indent, "serviceName", scope.serviceName);
    if (key.has(Flag::filter)) lineWith(indent, "filter", key.filter);
    if (key.has(Flag::identifier)) lineWith(indent, "id", key.identifier);
}

void MsgPrinter::part(std::string_view word, Type type, Bytes bytes, const PrintScope& scope, bool emptyLine,
                      int indent) {
    pad(indent);
    out_.append(word);
    containers_.dataType(type, bytes);
    out_.append("\n");
    containers_.container(type, bytes, PrintScope{scope.dictionary, nullptr, {}, false}, indent + 1);
    if (emptyLine) out_.append("\n");
    line(indent, std::string{word}.append("End"));
}

void MsgPrinter::body(const codec::Msg& msg, const PrintScope& scope, int indent) {
    const bool emptyLine = msg.cls != MsgClass::Ack;  // acks have no empty line there
    if (msg.hasKey() && msg.key.has(codec::KeyFlag::attrib))
        part("Attrib", msg.key.attribType, msg.key.attrib, scope, emptyLine, indent);
    if (msg.hasExtendedHeader()) {
        line(indent, "ExtendedHeader");
        out_.append(hexDump(asText(msg.extendedHeader), HexDump::withCharacters));
        line(indent, "ExtendedHeaderEnd");
    }
    if (msg.containerType != Type::NoData) part("Payload", msg.containerType, msg.payload, scope, emptyLine, indent);
}

}  // namespace emissary::ema
