// Writes golden values and public objects in the same words, so that they can be compared.
#include "model.h"

#include "Ema.h"
#include "eta/codec/text.h"
#include "support.h"
#include "text/print.h"

#include <map>
#include <sstream>

namespace ematest {

using codec::model::Entry;
using codec::model::MsgParts;
using codec::model::Value;
using Type = codec::DataType;

namespace {

using Out = std::ostringstream;

// --- golden values

std::string flatQos(const codec::Qos& q) {
    const UInt32 timeliness = q.timeliness == 3   ? q.timeInfo
                              : q.timeliness == 2 ? UInt32{OmmQos::InexactDelayedEnum}
                                                  : 0;
    const UInt32 rate = q.rate == 3 ? q.rateInfo : q.rate == 2 ? UInt32{OmmQos::JustInTimeConflatedEnum} : 0;
    return std::to_string(timeliness) + "/" + std::to_string(rate);
}

void primitive(Out& out, const Value& v) {
    const codec::Date& d = v.dateTime.date;
    const codec::Time& t = v.dateTime.time;
    const auto date = [&] { out << d.year << '-' << +d.month << '-' << +d.day; };
    const auto time = [&] {
        out << +t.hour << ':' << +t.minute << ':' << +t.second << ':' << t.millisecond << ':' << t.microsecond << ':'
            << t.nanosecond;
    };
    switch (v.type) {
    case Type::Int:
        out << static_cast<std::int64_t>(v.bits);
        break;
    case Type::UInt:
    case Type::Enum:
    case Type::Float:
    case Type::Double:
        out << v.bits;
        break;
    case Type::Real:
        out << v.real.mantissa << 'e' << +v.real.hint;
        break;
    case Type::Date:
        date();
        break;
    case Type::Time:
        time();
        break;
    case Type::DateTime:
        date(), out << ' ', time();
        break;
    case Type::Qos:
        out << flatQos(v.qos);
        break;
    case Type::State:
        out << +v.state.stream << '/' << +v.state.data << '/' << +v.state.code << '/' << hex(v.bytes);
        break;
    default:
        out << hex(v.bytes);
        break;
    }
}

void value(Out& out, const Value& v);

void load(Out& out, const Entry& e, bool none) {
    if (none || e.value.empty()) out << "NoData";
    else value(out, e.value.front());
}

void message(Out& out, const MsgParts& m) {
    const codec::Msg& h = m.header;
    using namespace codec;
    out << emissary::ema::msgTypeName(h.cls) << " stream=" << h.streamId << " domain=" << +h.domain;
    const bool request = h.cls == MsgClass::Request;
    if (request) {
        out << " image=" << !h.has(RequestFlag::noRefresh) << " interest=" << h.has(RequestFlag::streaming)
            << " pause=" << h.has(RequestFlag::pause) << " conflated=" << h.has(RequestFlag::confInfoInUpdates)
            << " view=" << h.has(RequestFlag::view) << " batch=" << h.has(RequestFlag::batch);
        if (h.has(RequestFlag::priority)) out << " priority=" << +h.priorityClass << '/' << h.priorityCount;
        if (h.hasQos()) {
            const emissary::ema::RequestQos q = emissary::ema::requestQos(h);
            out << " qos=" << q.timeliness << '/' << q.rate;
        }
    }
    if (h.cls == MsgClass::Refresh)
        out << " solicited=" << h.has(RefreshFlag::solicited) << " complete=" << h.has(RefreshFlag::complete)
            << " clear=" << h.has(RefreshFlag::clearCache) << " noCache=" << h.has(RefreshFlag::doNotCache);
    if (h.cls == MsgClass::Status) out << " clear=" << h.has(StatusFlag::clearCache);
    if (h.cls == MsgClass::Update)
        out << " type=" << +h.updateType << " noCache=" << h.has(UpdateFlag::doNotCache)
            << " noConflate=" << h.has(UpdateFlag::doNotConflate) << " noRipple=" << h.has(UpdateFlag::doNotRipple);
    if (h.cls == MsgClass::Generic) out << " complete=" << h.has(GenericFlag::complete);
    if (h.cls == MsgClass::Post) out << " complete=" << h.has(PostFlag::complete) << " ack=" << h.has(PostFlag::ack);
    if (request || h.cls == MsgClass::Refresh || h.cls == MsgClass::Status || h.cls == MsgClass::Ack)
        out << " private=" << h.isPrivate();
    if (h.hasState())
        out << " state=" << +h.state.stream << '/' << +h.state.data << '/' << +h.state.code << '/' << hex(m.stateText);
    if (!request && h.hasQos()) out << " qos=" << flatQos(h.qos);
    if (h.hasSeqNum()) out << " seq=" << h.seqNum;
    if (h.cls == MsgClass::Generic && h.has(GenericFlag::secondarySeqNum)) out << " seq2=" << h.secondarySeqNum;
    if (h.hasPartNum()) out << " part=" << h.partNum;
    if (h.hasGroupId()) out << " group=" << hex(m.groupId);
    if (h.hasPermData()) out << " perm=" << hex(m.permData);
    if (h.hasPostUserInfo()) out << " user=" << h.postUserId << '@' << h.postUserAddress;
    if (h.cls == MsgClass::Update && h.has(UpdateFlag::confInfo))
        out << " conflation=" << h.conflationCount << '/' << h.conflationTime;
    if (h.cls == MsgClass::Ack) {
        out << " ackId=" << h.ackId;
        if (h.has(AckFlag::nakCode)) out << " nack=" << +h.nakCode;
        if (h.has(AckFlag::text)) out << " text=" << hex(m.text);
    }
    if (h.cls == MsgClass::Post) {
        if (h.has(PostFlag::postId)) out << " postId=" << h.postId;
        if (h.has(PostFlag::postUserRights)) out << " rights=" << h.postUserRights;
    }
    if (h.hasKey()) {
        const MsgKey& key = h.key;
        out << " key";
        if (key.has(KeyFlag::name)) out << " name=" << hex(m.name);
        if (key.has(KeyFlag::name) && key.has(KeyFlag::nameType)) out << " nameType=" << +key.nameType;
        if (key.has(KeyFlag::serviceId)) out << " service=" << key.serviceId;
        if (key.has(KeyFlag::filter)) out << " filter=" << key.filter;
        if (key.has(KeyFlag::identifier)) out << " id=" << key.identifier;
    }
    if (h.hasExtendedHeader()) out << " header=" << hex(m.extendedHeader);
    out << " attrib=";
    if (h.hasKey() && !m.attrib.empty()) value(out, m.attrib.front());
    else out << "NoData";
    out << " payload=";
    if (!m.payload.empty()) value(out, m.payload.front());
    else out << emissary::ema::typeName(h.containerType);
}

void value(Out& out, const Value& v) {
    if (v.type == Type::Msg) {
        const bool readable = !v.msg.empty() && v.msg.front().header.cls != codec::MsgClass::Close;
        if (!readable) out << "Error";
        else message(out, v.msg.front());
        return;
    }
    out << emissary::ema::typeName(v.type);
    if (v.type == Type::NoData) return;
    out << '(';
    if (codec::isPrimitive(v.type)) {
        if (v.blank) out << "blank";
        else if (v.type == Type::Array) {
            out << v.itemLength << ':';
            for (const Value& item : v.items)
                value(out, item);
        } else primitive(out, v);
        out << ')';
        return;
    }
    const auto lists = [&](auto name) {
        for (const auto* list : {&v.set, &v.standard})
            if (*list)
                for (const Entry& e : **list) {
                    out << " {" << name(e) << ' ';
                    load(out, e, false);
                    out << '}';
                }
    };
    switch (v.type) {
    case Type::FieldList:
        if (v.info) out << "info " << v.info->first << '/' << v.info->second;
        lists([](const Entry& e) { return std::to_string(e.fieldId); });
        break;
    case Type::ElementList:
        if (v.info) out << "info " << v.info->second;
        lists([](const Entry& e) { return hex(e.name); });
        break;
    case Type::Map:
    case Type::Vector:
    case Type::Series:
    case Type::FilterList:
        if (v.sortable) out << "sortable";
        if (v.keyFieldId) out << " keyField " << *v.keyFieldId;
        if (v.hint) out << " hint " << *v.hint;
        if (v.type != Type::FilterList) {
            out << " summary ";
            if (v.summary.empty()) out << "NoData";
            else value(out, v.summary.front());
        }
        for (const Entry& e : v.entries) {
            out << " {";
            if (v.type != Type::Series) out << +e.action << ' ';
            if (v.type == Type::Vector) out << e.index << ' ';
            if (v.type == Type::FilterList) out << +e.id << ' ';
            for (const Value& key : e.key)
                value(out, key), out << ' ';
            if (e.permData) out << "perm " << hex(*e.permData) << ' ';
            load(out, e, false);
            out << '}';
        }
        break;
    default:
        out << hex(v.bytes);
        break;
    }
    out << ')';
}

// --- public objects

template <class T>
const T& as(const Data& d) {
    const T* object = dynamic_cast<const T*>(&d);
    REQUIRE(object != nullptr);
    return *object;
}

template <class T>
void date(Out& out, const T& d) {
    out << d.getYear() << '-' << +d.getMonth() << '-' << +d.getDay();
}
template <class T>
void time(Out& out, const T& t) {
    out << +t.getHour() << ':' << +t.getMinute() << ':' << +t.getSecond() << ':' << t.getMillisecond() << ':'
        << t.getMicrosecond() << ':' << t.getNanosecond();
}

void shown(Out& out, const Data& d);

template <class Part>
void part(Out& out, const Part& p) {
    if (p.getDataType() == DataType::ErrorEnum) shown(out, p.getError());
    else shown(out, p.getData());
}

template <class M>
void keyAndBody(Out& out, const M& m) {
    if (m.hasMsgKey()) out << " key";
    if (m.hasName()) out << " name=" << hex(text(m.getName()));
    if (m.hasNameType()) out << " nameType=" << +m.getNameType();
    if (m.hasServiceId()) out << " service=" << m.getServiceId();
    if (m.hasFilter()) out << " filter=" << m.getFilter();
    if (m.hasId()) out << " id=" << m.getId();
    if (m.hasExtendedHeader()) out << " header=" << hex(text(m.getExtendedHeader()));
    out << " attrib=";
    part(out, m.getAttrib());
    out << " payload=";
    part(out, m.getPayload());
}
template <class M>
void msgHead(Out& out, const M& m, const char* name) {
    out << name << " stream=" << m.getStreamId() << " domain=" << m.getDomainType();
}
template <class M>
void seqNum(Out& out, const M& m) {
    if (m.hasSeqNum()) out << " seq=" << m.getSeqNum();
}
template <class M>
void permission(Out& out, const M& m) {
    if (m.hasPermissionData()) out << " perm=" << hex(text(m.getPermissionData()));
}
template <class M>
void publisher(Out& out, const M& m) {
    if (m.hasPublisherId()) out << " user=" << m.getPublisherIdUserId() << '@' << m.getPublisherIdUserAddress();
}
void state(Out& out, const OmmState& s) {
    out << " state=" << s.getStreamState() << '/' << s.getDataState() << '/' << +s.getStatusCode() << '/'
        << hex(text(s.getStatusText()));
}

void message(Out& out, const ReqMsg& m) {
    msgHead(out, m, "ReqMsg");
    out << " image=" << m.getInitialImage() << " interest=" << m.getInterestAfterRefresh() << " pause=" << m.getPause()
        << " conflated=" << m.getConflatedInUpdates() << " view=" << m.hasView() << " batch=" << m.hasBatch();
    if (m.hasPriority()) out << " priority=" << +m.getPriorityClass() << '/' << m.getPriorityCount();
    if (m.hasQos()) out << " qos=" << m.getQosTimeliness() << '/' << m.getQosRate();
    out << " private=" << m.getPrivateStream();
    keyAndBody(out, m);
}
void message(Out& out, const RefreshMsg& m) {
    msgHead(out, m, "RefreshMsg");
    out << " solicited=" << m.getSolicited() << " complete=" << m.getComplete() << " clear=" << m.getClearCache()
        << " noCache=" << m.getDoNotCache() << " private=" << m.getPrivateStream();
    state(out, m.getState());
    if (m.hasQos()) out << " qos=" << m.getQos().getTimeliness() << '/' << m.getQos().getRate();
    seqNum(out, m);
    if (m.hasPartNum()) out << " part=" << m.getPartNum();
    out << " group=" << hex(text(m.getItemGroup()));
    permission(out, m);
    publisher(out, m);
    keyAndBody(out, m);
}
void message(Out& out, const StatusMsg& m) {
    msgHead(out, m, "StatusMsg");
    out << " clear=" << m.getClearCache() << " private=" << m.getPrivateStream();
    if (m.hasState()) state(out, m.getState());
    if (m.hasItemGroup()) out << " group=" << hex(text(m.getItemGroup()));
    permission(out, m);
    publisher(out, m);
    keyAndBody(out, m);
}
void message(Out& out, const UpdateMsg& m) {
    msgHead(out, m, "UpdateMsg");
    out << " type=" << +m.getUpdateTypeNum() << " noCache=" << m.getDoNotCache()
        << " noConflate=" << m.getDoNotConflate() << " noRipple=" << m.getDoNotRipple();
    seqNum(out, m);
    permission(out, m);
    publisher(out, m);
    if (m.hasConflated()) out << " conflation=" << m.getConflatedCount() << '/' << m.getConflatedTime();
    keyAndBody(out, m);
}
void message(Out& out, const GenericMsg& m) {
    msgHead(out, m, "GenericMsg");
    out << " complete=" << m.getComplete();
    seqNum(out, m);
    if (m.hasSecondarySeqNum()) out << " seq2=" << m.getSecondarySeqNum();
    if (m.hasPartNum()) out << " part=" << m.getPartNum();
    permission(out, m);
    keyAndBody(out, m);
}
void message(Out& out, const PostMsg& m) {
    msgHead(out, m, "PostMsg");
    out << " complete=" << m.getComplete() << " ack=" << m.getSolicitAck();
    seqNum(out, m);
    if (m.hasPartNum()) out << " part=" << m.getPartNum();
    permission(out, m);
    out << " user=" << m.getPublisherIdUserId() << '@' << m.getPublisherIdUserAddress();
    if (m.hasPostId()) out << " postId=" << m.getPostId();
    if (m.hasPostUserRights()) out << " rights=" << m.getPostUserRights();
    keyAndBody(out, m);
}
void message(Out& out, const AckMsg& m) {
    msgHead(out, m, "AckMsg");
    out << " private=" << m.getPrivateStream();
    seqNum(out, m);
    out << " ackId=" << m.getAckId();
    if (m.hasNackCode()) out << " nack=" << +m.getNackCode();
    if (m.hasText()) out << " text=" << hex(text(m.getText()));
    keyAndBody(out, m);
}

template <class C>
void summary(Out& out, const C& c) {
    if (c.hasTotalCountHint()) out << " hint " << c.getTotalCountHint();
    out << " summary ";
    part(out, c.getSummaryData());
}
template <class E>
void permissionOf(Out& out, const E& e) {
    if (e.hasPermissionData()) out << "perm " << hex(text(e.getPermissionData())) << ' ';
}

void shownPrimitive(Out& out, const Data& d) {
    switch (d.getDataType()) {
    case DataType::IntEnum:
        out << as<OmmInt>(d).getInt();
        break;
    case DataType::UIntEnum:
        out << as<OmmUInt>(d).getUInt();
        break;
    case DataType::EnumEnum:
        out << as<OmmEnum>(d).getEnum();
        break;
    case DataType::FloatEnum:
        out << std::bit_cast<std::uint32_t>(as<OmmFloat>(d).getFloat());
        break;
    case DataType::DoubleEnum:
        out << std::bit_cast<std::uint64_t>(as<OmmDouble>(d).getDouble());
        break;
    case DataType::RealEnum:
        out << as<OmmReal>(d).getMantissa() << 'e' << as<OmmReal>(d).getMagnitudeType();
        break;
    case DataType::DateEnum:
        date(out, as<OmmDate>(d));
        break;
    case DataType::TimeEnum:
        time(out, as<OmmTime>(d));
        break;
    case DataType::DateTimeEnum:
        date(out, as<OmmDateTime>(d)), out << ' ', time(out, as<OmmDateTime>(d));
        break;
    case DataType::QosEnum:
        out << as<OmmQos>(d).getTimeliness() << '/' << as<OmmQos>(d).getRate();
        break;
    case DataType::StateEnum: {
        const auto& s = as<OmmState>(d);
        out << s.getStreamState() << '/' << s.getDataState() << '/' << +s.getStatusCode() << '/'
            << hex(text(s.getStatusText()));
        break;
    }
    default:
        out << hex(text(d.getAsHex()));
        break;
    }
}

void shown(Out& out, const Data& d) {
    switch (d.getDataType()) {
    case DataType::ErrorEnum:
        out << "Error";
        return;
    case DataType::NoDataEnum:
        out << "NoData";
        return;
    case DataType::ReqMsgEnum:
        return message(out, as<ReqMsg>(d));
    case DataType::RefreshMsgEnum:
        return message(out, as<RefreshMsg>(d));
    case DataType::StatusMsgEnum:
        return message(out, as<StatusMsg>(d));
    case DataType::UpdateMsgEnum:
        return message(out, as<UpdateMsg>(d));
    case DataType::GenericMsgEnum:
        return message(out, as<GenericMsg>(d));
    case DataType::PostMsgEnum:
        return message(out, as<PostMsg>(d));
    case DataType::AckMsgEnum:
        return message(out, as<AckMsg>(d));
    default:
        break;
    }
    out << text(DataType(d.getDataType()).toString()) << '(';
    switch (d.getDataType()) {
    case DataType::ArrayEnum: {
        const auto& array = as<OmmArray>(d);
        if (array.getCode() == Data::BlankEnum) {
            out << "blank";
            break;
        }
        out << (array.hasFixedWidth() ? array.getFixedWidth() : UInt16{0}) << ':';
        while (array.forth())
            shown(out, array.getEntry().getLoad());
        break;
    }
    case DataType::FieldListEnum: {
        const auto& list = as<FieldList>(d);
        if (list.hasInfo()) out << "info " << list.getInfoDictionaryId() << '/' << list.getInfoFieldListNum();
        while (list.forth()) {
            out << " {" << list.getEntry().getFieldId() << ' ';
            shown(out, list.getEntry().getLoad());
            out << '}';
        }
        break;
    }
    case DataType::ElementListEnum: {
        const auto& list = as<ElementList>(d);
        if (list.hasInfo()) out << "info " << list.getInfoElementListNum();
        while (list.forth()) {
            out << " {" << hex(text(list.getEntry().getName())) << ' ';
            shown(out, list.getEntry().getLoad());
            out << '}';
        }
        break;
    }
    case DataType::MapEnum: {
        const auto& map = as<Map>(d);
        if (map.hasKeyFieldId()) out << " keyField " << map.getKeyFieldId();
        summary(out, map);
        while (map.forth()) {
            const MapEntry& e = map.getEntry();
            out << " {" << +e.getAction() << ' ';
            shown(out, e.getKey().getData());
            out << ' ';
            permissionOf(out, e);
            shown(out, e.getLoad());
            out << '}';
        }
        break;
    }
    case DataType::VectorEnum: {
        const auto& vector = as<Vector>(d);
        if (vector.getSortable()) out << "sortable";
        summary(out, vector);
        while (vector.forth()) {
            const VectorEntry& e = vector.getEntry();
            out << " {" << +e.getAction() << ' ' << e.getPosition() << ' ';
            permissionOf(out, e);
            shown(out, e.getLoad());
            out << '}';
        }
        break;
    }
    case DataType::SeriesEnum: {
        const auto& series = as<Series>(d);
        summary(out, series);
        while (series.forth()) {
            out << " {";
            shown(out, series.getEntry().getLoad());
            out << '}';
        }
        break;
    }
    case DataType::FilterListEnum: {
        const auto& list = as<FilterList>(d);
        if (list.hasTotalCountHint()) out << " hint " << list.getTotalCountHint();
        while (list.forth()) {
            const FilterEntry& e = list.getEntry();
            out << " {" << +e.getAction() << ' ' << +e.getFilterId() << ' ';
            permissionOf(out, e);
            shown(out, e.getLoad());
            out << '}';
        }
        break;
    }
    default:
        if (d.getCode() == Data::BlankEnum) out << "blank";
        else shownPrimitive(out, d);
        break;
    }
    out << ')';
}

// --- dictionaries

using Types = std::map<std::int16_t, Type>;

bool gather(const Value& v, Types& types) {
    bool unique = true;
    const auto walk = [&](const std::vector<Entry>& entries, bool fields) {
        for (const Entry& e : entries)
            for (const Value& inner : e.value) {
                if (fields) unique = types.try_emplace(e.fieldId, inner.type).first->second == inner.type && unique;
                unique = gather(inner, types) && unique;
            }
    };
    if (v.standard) walk(*v.standard, v.type == Type::FieldList);
    if (v.set) walk(*v.set, v.type == Type::FieldList);
    walk(v.entries, false);
    for (const Value& s : v.summary)
        unique = gather(s, types) && unique;
    for (const MsgParts& m : v.msg) {
        for (const Value& a : m.attrib)
            unique = gather(a, types) && unique;
        for (const Value& p : m.payload)
            unique = gather(p, types) && unique;
    }
    return unique;
}

const char* dictionaryWord(Type type) {
    switch (type) {
    case Type::AsciiString:
        return "ASCII_STRING";
    case Type::Utf8String:
        return "UTF8_STRING";
    case Type::RmtesString:
        return "RMTES_STRING";
    case Type::FieldList:
        return "FIELD_LIST";
    case Type::ElementList:
        return "ELEMENT_LIST";
    case Type::FilterList:
        return "FILTER_LIST";
    case Type::AnsiPage:
        return "ANSI_PAGE";
    default:
        return nullptr;
    }
}

std::string wordOf(Type type) {
    if (const char* word = dictionaryWord(type)) return word;
    std::string word = codec::name(type);
    for (char& c : word)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return word;
}

}  // namespace

std::string flat(const Value& v) {
    Out out;
    value(out, v);
    return out.str();
}

std::string flat(const Data& d) {
    Out out;
    shown(out, d);
    return out.str();
}

std::optional<Dictionary> dictionaryOf(const Value& v) {
    Types types;
    if (!gather(v, types) || types.contains(0)) return std::nullopt;  // no dictionary has a field 0
    std::string file = "!tag Type 1\n!tag DictionaryId 1\n";
    for (const auto& [id, type] : types) {
        const std::string number = std::to_string(id);
        file += "F" + number + " \"FIELD " + number + "\" " + number + " NULL NONE 1 " + wordOf(type) + " 1\n";
    }
    Dictionary d;
    if (types.empty()) return d;
    if (const auto error = d.parseFields(file, "vector")) throw std::runtime_error(error.text);
    return d;
}

}  // namespace ematest
