// Writes the element of a message with its attributes, key and payload, nested as the message is.
#include "trace/MessageXml.h"

namespace emissary::eta::trace {

using codec::DataType;
using codec::Msg;
using codec::MsgClass;
using codec::MsgKey;

Error writeMessageXml(TraceText& out, Bytes message, unsigned major, unsigned minor) {
    return MessageXml(out, major, minor).write(message);
}

Error MessageXml::write(Bytes bytes) {
    versions();
    if (message(bytes)) out_.end();
    return fault_;
}

bool MessageXml::fail(Error e) {
    if (fault_.ok()) fault_ = e;
    return false;
}

void MessageXml::versions() {
    out_.text("<!-- rwfMajorVer=\"").unsignedNumber(major_);
    out_.text("\" rwfMinorVer=\"").unsignedNumber(minor_).text("\" -->").end();
}

bool MessageXml::message(Bytes bytes) {
    Msg msg;
    if (const Error e = codec::decodeMsg(bytes, msg); !e.ok()) return fail(e);
    const std::string_view element = elementOf(msg.cls);
    out_.line().text("<").text(element).text(" domainType=\"").word(kDomains, msg.domain);
    out_.text("\"").attribute("streamId", msg.streamId);
    out_.text(" containerType=\"")
        .type(msg.containerType)
        .text("\" flags=\"")
        .flags(flagsOf(msg.cls), msg.flags)
        .text("\"");
    attributes(msg);
    out_.attribute("dataSize", static_cast<std::int64_t>(msg.payload.size())).text(">").end();
    out_.deeper();
    if (msg.hasKey() && !key("key", msg.key, msg.payload)) return false;
    const bool requestKey = (msg.cls == MsgClass::Refresh && msg.has(codec::RefreshFlag::reqMsgKey)) ||
                            (msg.cls == MsgClass::Status && msg.has(codec::StatusFlag::reqMsgKey)) ||
                            (msg.cls == MsgClass::Generic && msg.has(codec::GenericFlag::reqMsgKey));
    if (requestKey && !key("requestKey", msg.reqKey, msg.payload)) return false;
    if (msg.hasExtendedHeader()) {
        out_.line().text("<extendedHeader data=\"").hex(msg.extendedHeader, XmlLines::Rest::beside).text("\"/>").end();
    }
    out_.whole("<dataBody>");
    out_.deeper();
    if (!content(msg.containerType, msg.payload, nullptr)) return false;
    out_.back();
    out_.whole("</dataBody>");
    out_.back();
    out_.line().text("</").text(element).text(">").end();
    return true;
}

void MessageXml::permissions(Bytes bytes) {
    out_.text(" permData=\"").hex(bytes, XmlLines::Rest::beside).text("\"");
}

void MessageXml::postUser(const Msg& msg) {
    const std::uint32_t a = msg.postUserAddress;
    out_.text("postUserId=\"").unsignedNumber(msg.postUserId).text("\" postUserAddr=\"");
    out_.unsignedNumber(a >> 24).text(".").unsignedNumber(a >> 16 & 255).text(".").unsignedNumber(a >> 8 & 255);
    out_.text(".").unsignedNumber(a & 255).text("\"");
}

/// Of the class, in its order.
void MessageXml::attributes(const Msg& msg) {
    const auto groupId = [&] { out_.text(" groupId=\"").group(msg.groupId).text("\""); };
    const auto seqNum = [&] {
        if (msg.hasSeqNum()) out_.attribute("seqNum", msg.seqNum);
    };
    const auto partNum = [&] {
        if (msg.hasPartNum()) out_.attribute("partNum", msg.partNum);
    };
    const auto permData = [&] {
        if (msg.hasPermData()) permissions(msg.permData);
    };
    switch (msg.cls) {
    case MsgClass::Request:
        if (msg.has(codec::RequestFlag::qos)) out_.qos("qos", msg.qos);
        if (msg.has(codec::RequestFlag::worstQos)) out_.qos("worstQos", msg.worstQos);
        if (msg.has(codec::RequestFlag::priority)) {
            out_.attribute("priorityClass", msg.priorityClass);
            out_.attribute("priorityCount", msg.priorityCount);
        }
        break;
    case MsgClass::Refresh:
        groupId(), seqNum(), partNum(), permData();
        if (msg.hasQos()) out_.qos("qos", msg.qos);
        out_.state(msg.state);
        if (msg.hasPostUserInfo()) postUser(msg);
        break;
    case MsgClass::Status:
        if (msg.hasGroupId()) groupId();
        permData();
        if (msg.hasState()) out_.state(msg.state);
        if (msg.hasPostUserInfo()) postUser(msg);
        break;
    case MsgClass::Update: {
        out_.text(" updateType=\"").unsignedNumber(msg.updateType);
        if (const std::string_view name = kUpdateTypes.find(msg.updateType); !name.empty())
            out_.text(" (").text(kUpdateTypes.prefix).text(name).text(")");
        out_.text("\"");
        seqNum(), permData();
        if (msg.has(codec::UpdateFlag::confInfo)) {
            out_.attribute("conflationCount", msg.conflationCount);
            out_.attribute("conflationTime", msg.conflationTime);
        }
        if (msg.hasPostUserInfo()) postUser(msg);
        break;
    }
    case MsgClass::Close:
        break;
    case MsgClass::Ack:
        out_.attribute("ackId", msg.ackId);
        if (msg.has(codec::AckFlag::nakCode)) {
            const std::string_view name = kNakCodes.find(msg.nakCode);
            out_.text(" nakCode=\"").text(name.empty() ? name : kNakCodes.prefix).text(name).text("\"");
        }
        if (msg.has(codec::AckFlag::text)) out_.text(" text=\"").raw(msg.text).text("\"");
        seqNum();
        break;
    case MsgClass::Generic:
        seqNum();
        if (msg.has(codec::GenericFlag::secondarySeqNum)) out_.attribute("secondarySeqNum", msg.secondarySeqNum);
        partNum(), permData();
        break;
    case MsgClass::Post:
        seqNum();
        if (msg.has(codec::PostFlag::postId)) out_.attribute("postId", msg.postId);
        permData(), partNum();
        if (msg.has(codec::PostFlag::postUserRights)) out_.attribute("postUserRights", msg.postUserRights);
        out_.text(" ");
        postUser(msg);
        break;
    }
}

bool MessageXml::key(std::string_view element, const MsgKey& key, Bytes payload) {
    using namespace codec::KeyFlag;
    out_.line().text("<").text(element).text("  flags=\"").flags(kKeyFlags, key.flags).text("\" ");
    if (key.has(serviceId)) out_.attribute("serviceId", key.serviceId);
    if (key.has(name)) out_.text(" name=\"").raw(key.name).text("\"");
    if (key.has(nameType)) out_.attribute("nameType", key.nameType);
    if (key.has(filter)) out_.attribute("filter", key.filter);
    if (key.has(identifier)) out_.attribute("identifier", key.identifier);
    if (!key.has(attrib)) {
        out_.text("/>").end();
        return true;
    }
    out_.text(" attribContainerType=\"").type(key.attribType).text("\">").end();
    out_.deeper();
    out_.whole("<attrib>");
    out_.deeper();
    // In the place of attributes without a form of their own the samples have the payload of the message.
    if (!content(key.attribType, key.attribType == DataType::Opaque ? payload : key.attrib, nullptr)) return false;
    out_.back();
    out_.whole("</attrib>");
    out_.back();
    out_.line().text("</").text(element).text(">").end();
    return true;
}

}  // namespace emissary::eta::trace
