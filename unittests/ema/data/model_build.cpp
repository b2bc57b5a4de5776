// Encodes a golden value with the classes of the public API.
#include "model.h"

#include "Ema.h"
#include "eta/codec/primitives.h"
#include "support.h"

namespace ematest {

using model::Entry;
using model::MsgParts;
using model::Value;
using Type = codec::DataType;

namespace {

EmaString str(const std::string& s) {
    return {s.data(), static_cast<UInt32>(s.size())};
}
EmaBuffer buf(const std::string& s) {
    return buffer(s);
}
UInt32 timelinessOf(const codec::Qos& q) {
    return q.timeliness == 3 ? q.timeInfo : q.timeliness == 2 ? UInt32{OmmQos::InexactDelayedEnum} : 0;
}
UInt32 rateOf(const codec::Qos& q) {
    return q.rate == 3 ? q.rateInfo : q.rate == 2 ? UInt32{OmmQos::JustInTimeConflatedEnum} : 0;
}

template <class Target, class... Key>
void addBlank(Target& t, Type type, const Key&... key) {
    switch (type) {
    case Type::Int:
        t.addCodeInt(key...);
        break;
    case Type::UInt:
        t.addCodeUInt(key...);
        break;
    case Type::Float:
        t.addCodeFloat(key...);
        break;
    case Type::Double:
        t.addCodeDouble(key...);
        break;
    case Type::Real:
        t.addCodeReal(key...);
        break;
    case Type::Date:
        t.addCodeDate(key...);
        break;
    case Type::Time:
        t.addCodeTime(key...);
        break;
    case Type::DateTime:
        t.addCodeDateTime(key...);
        break;
    case Type::Qos:
        t.addCodeQos(key...);
        break;
    case Type::State:
        t.addCodeState(key...);
        break;
    case Type::Enum:
        t.addCodeEnum(key...);
        break;
    case Type::Buffer:
        t.addCodeBuffer(key...);
        break;
    case Type::AsciiString:
        t.addCodeAscii(key...);
        break;
    case Type::Utf8String:
        t.addCodeUtf8(key...);
        break;
    case Type::RmtesString:
        t.addCodeRmtes(key...);
        break;
    default:
        FAIL("no blank of " << codec::name(type));
    }
}

template <class Target, class... Key>
void addPrimitive(Target& t, const Value& v, const Key&... key) {
    const codec::Date& d = v.dateTime.date;
    const codec::Time& c = v.dateTime.time;
    if (v.blank) return addBlank(t, v.type, key...);
    switch (v.type) {
    case Type::Int:
        t.addInt(key..., static_cast<Int64>(v.bits));
        break;
    case Type::UInt:
        t.addUInt(key..., v.bits);
        break;
    case Type::Float:
        t.addFloat(key..., std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)));
        break;
    case Type::Double:
        t.addDouble(key..., std::bit_cast<double>(v.bits));
        break;
    case Type::Real:
        t.addReal(key..., v.real.mantissa, static_cast<OmmReal::MagnitudeType>(v.real.hint));
        break;
    case Type::Date:
        t.addDate(key..., d.year, d.month, d.day);
        break;
    case Type::Time:
        t.addTime(key..., c.hour, c.minute, c.second, c.millisecond, c.microsecond, c.nanosecond);
        break;
    case Type::DateTime:
        t.addDateTime(key..., d.year, d.month, d.day, c.hour, c.minute, c.second, c.millisecond, c.microsecond,
                      c.nanosecond);
        break;
    case Type::Qos:
        t.addQos(key..., timelinessOf(v.qos), rateOf(v.qos));
        break;
    case Type::State:
        t.addState(key..., static_cast<OmmState::StreamState>(v.state.stream),
                   static_cast<OmmState::DataState>(v.state.data), v.state.code, str(v.bytes));
        break;
    case Type::Enum:
        t.addEnum(key..., static_cast<UInt16>(v.bits));
        break;
    case Type::Buffer:
        t.addBuffer(key..., buf(v.bytes));
        break;
    case Type::AsciiString:
        t.addAscii(key..., str(v.bytes));
        break;
    case Type::Utf8String:
        t.addUtf8(key..., buf(v.bytes));
        break;
    case Type::RmtesString:
        t.addRmtes(key..., buf(v.bytes));
        break;
    default:
        FAIL("no primitive: " << codec::name(v.type));
    }
}

/// The same members as a map's key; `rest` is the action and what follows it.
template <class... Rest>
void addByKey(Map& map, const Value& v, const Rest&... rest) {
    const codec::Date& d = v.dateTime.date;
    const codec::Time& c = v.dateTime.time;
    switch (v.type) {
    case Type::Int:
        map.addKeyInt(static_cast<Int64>(v.bits), rest...);
        break;
    case Type::UInt:
        map.addKeyUInt(v.bits, rest...);
        break;
    case Type::Float:
        map.addKeyFloat(std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)), rest...);
        break;
    case Type::Double:
        map.addKeyDouble(std::bit_cast<double>(v.bits), rest...);
        break;
    case Type::Real:
        map.addKeyReal(v.real.mantissa, static_cast<OmmReal::MagnitudeType>(v.real.hint), rest...);
        break;
    case Type::Date:
        map.addKeyDate(d.year, d.month, d.day, rest...);
        break;
    case Type::Time:
        map.addKeyTime(c.hour, c.minute, c.second, c.millisecond, c.microsecond, c.nanosecond, rest...);
        break;
    case Type::DateTime:
        map.addKeyDateTime(d.year, d.month, d.day, c.hour, c.minute, c.second, c.millisecond, c.microsecond,
                           c.nanosecond, rest...);
        break;
    case Type::Qos:
        map.addKeyQos(timelinessOf(v.qos), rateOf(v.qos), rest...);
        break;
    case Type::State:
        map.addKeyState(static_cast<OmmState::StreamState>(v.state.stream),
                        static_cast<OmmState::DataState>(v.state.data), v.state.code, str(v.bytes), rest...);
        break;
    case Type::Enum:
        map.addKeyEnum(static_cast<UInt16>(v.bits), rest...);
        break;
    case Type::Buffer:
        map.addKeyBuffer(buf(v.bytes), rest...);
        break;
    case Type::AsciiString:
        map.addKeyAscii(str(v.bytes), rest...);
        break;
    case Type::Utf8String:
        map.addKeyUtf8(buf(v.bytes), rest...);
        break;
    case Type::RmtesString:
        map.addKeyRmtes(buf(v.bytes), rest...);
        break;
    default:
        FAIL("no key: " << codec::name(v.type));
    }
}

struct Builder {
    Nesting nesting;

    /// Makes the object of class C for `v` and adds it as the nesting says.
    template <class C, class Add>
    void place(const Value& v, Add add) const {
        C child;
        if (nesting == Nesting::ready) {
            fill(child, v);
            child.complete();
            add(child);
        } else {
            add(child);
            fill(child, v);
            child.complete();
        }
    }
    template <class C, class Add>
    void bytes(const Value& v, Add add) const {
        C child;
        child.set(buf(v.bytes));
        add(child);
    }
    template <class M, class Add>
    void message(const Value& v, Add add) const {
        M child;
        fill(child, v.msg.front());
        add(child);
    }
    template <class Add>
    void anyMessage(const Value& v, Add add) const {
        switch (v.msg.front().header.cls) {
        case codec::MsgClass::Request:
            return message<ReqMsg>(v, add);
        case codec::MsgClass::Refresh:
            return message<RefreshMsg>(v, add);
        case codec::MsgClass::Status:
            return message<StatusMsg>(v, add);
        case codec::MsgClass::Update:
            return message<UpdateMsg>(v, add);
        case codec::MsgClass::Ack:
            return message<AckMsg>(v, add);
        case codec::MsgClass::Generic:
            return message<GenericMsg>(v, add);
        case codec::MsgClass::Post:
            return message<PostMsg>(v, add);
        case codec::MsgClass::Close:
            break;
        }
        FAIL("no message class for this");
    }
    /// Calls add(object) with the object of the right class.
    template <class Add>
    void complex(const Value& v, Add add) const {
        switch (v.type) {
        case Type::FieldList:
            return place<FieldList>(v, add);
        case Type::ElementList:
            return place<ElementList>(v, add);
        case Type::Map:
            return place<Map>(v, add);
        case Type::Vector:
            return place<Vector>(v, add);
        case Type::Series:
            return place<Series>(v, add);
        case Type::FilterList:
            return place<FilterList>(v, add);
        case Type::Opaque:
            return bytes<OmmOpaque>(v, add);
        case Type::Xml:
            return bytes<OmmXml>(v, add);
        case Type::AnsiPage:
            return bytes<OmmAnsiPage>(v, add);
        case Type::Json:
            return bytes<OmmJson>(v, add);
        case Type::Msg:
            return anyMessage(v, add);
        default:
            FAIL("no container: " << codec::name(v.type));
        }
    }

    template <class List, class Key>
    void addEntry(List& list, const Key& key, const Value& v) const {
        struct ByClass {
            List& list;
            const Key& key;
            void operator()(const FieldList& c) const { list.addFieldList(key, c); }
            void operator()(const ElementList& c) const { list.addElementList(key, c); }
            void operator()(const Map& c) const { list.addMap(key, c); }
            void operator()(const Vector& c) const { list.addVector(key, c); }
            void operator()(const Series& c) const { list.addSeries(key, c); }
            void operator()(const FilterList& c) const { list.addFilterList(key, c); }
            void operator()(const OmmOpaque& c) const { list.addOpaque(key, c); }
            void operator()(const OmmXml& c) const { list.addXml(key, c); }
            void operator()(const OmmAnsiPage& c) const { list.addAnsiPage(key, c); }
            void operator()(const OmmJson& c) const { list.addJson(key, c); }
            void operator()(const ReqMsg& c) const { list.addReqMsg(key, c); }
            void operator()(const RefreshMsg& c) const { list.addRefreshMsg(key, c); }
            void operator()(const StatusMsg& c) const { list.addStatusMsg(key, c); }
            void operator()(const UpdateMsg& c) const { list.addUpdateMsg(key, c); }
            void operator()(const AckMsg& c) const { list.addAckMsg(key, c); }
            void operator()(const GenericMsg& c) const { list.addGenericMsg(key, c); }
            void operator()(const PostMsg& c) const { list.addPostMsg(key, c); }
        };
        if (v.type == Type::Array) {
            OmmArray array;
            if (v.itemLength != 0) array.fixedWidth(v.itemLength);
            for (const Value& item : v.items)
                addPrimitive(array, item);
            array.complete();
            list.addArray(key, array);
        } else if (codec::isPrimitive(v.type)) {
            addPrimitive(list, v, key);
        } else {
            complex(v, ByClass{list, key});
        }
    }

    void fill(FieldList& list, const Value& v) const {
        if (v.info) list.info(v.info->first, v.info->second);
        for (const Entry& e : *v.standard)
            addEntry(list, e.fieldId, e.value.front());
    }
    void fill(ElementList& list, const Value& v) const {
        if (v.info) list.info(v.info->second);
        for (const Entry& e : *v.standard) {
            if (e.value.front().type == Type::NoData) list.add(str(e.name));
            else addEntry(list, str(e.name), e.value.front());
        }
    }
    template <class C>
    void head(C& c, const Value& v) const {
        if (v.hint) c.totalCountHint(*v.hint);
        for (const Value& s : v.summary)
            c.summaryData(*build(s, nesting));
    }
    static EmaBuffer permission(const Entry& e) { return e.permData ? buf(*e.permData) : EmaBuffer(); }
    /// Calls add() with the payload, or without when there is none.
    template <class AddWith, class AddWithout>
    void entry(const Value& container, const Entry& e, AddWith with, AddWithout without) const {
        const bool none = e.value.empty() || e.value.front().type == Type::NoData || isDelete(container, e.action);
        if (none) without();
        else complex(e.value.front(), with);
    }
    void fill(Map& map, const Value& v) const {
        if (v.keyFieldId) map.keyFieldId(*v.keyFieldId);
        head(map, v);
        if (v.entries.empty()) map.keyType(static_cast<DataType::DataTypeEnum>(v.keyType));
        for (const Entry& e : v.entries) {
            const auto action = static_cast<MapEntry::MapAction>(e.action);
            const EmaBuffer perm = permission(e);
            entry(
                v, e, [&](const ComplexType& c) { addByKey(map, e.key.front(), action, c, perm); },
                [&] { addByKey(map, e.key.front(), action, perm); });
        }
    }
    void fill(Vector& vector, const Value& v) const {
        vector.sortable(v.sortable);
        head(vector, v);
        for (const Entry& e : v.entries) {
            const auto action = static_cast<VectorEntry::VectorAction>(e.action);
            const EmaBuffer perm = permission(e);
            entry(
                v, e, [&](const ComplexType& c) { vector.add(e.index, action, c, perm); },
                [&] { vector.add(e.index, action, perm); });
        }
    }
    void fill(Series& series, const Value& v) const {
        head(series, v);
        for (const Entry& e : v.entries)
            entry(
                v, e, [&](const ComplexType& c) { series.add(c); }, [&] { series.add(); });
    }
    void fill(FilterList& list, const Value& v) const {
        if (v.hint) list.totalCountHint(*v.hint);
        for (const Entry& e : v.entries) {
            const auto action = static_cast<FilterEntry::FilterAction>(e.action);
            const EmaBuffer perm = permission(e);
            entry(
                v, e, [&](const ComplexType& c) { list.add(e.id, action, c, perm); },
                [&] { list.add(e.id, action, perm); });
        }
    }

    template <class M>
    void common(M& msg, const MsgParts& m) const {
        const codec::Msg& h = m.header;
        msg.streamId(h.streamId).domainType(h.domain);
        if (h.hasKey()) {
            const codec::MsgKey& key = h.key;
            if (key.has(codec::KeyFlag::name)) msg.name(str(m.name));
            if (key.has(codec::KeyFlag::nameType)) msg.nameType(key.nameType);
            if (key.has(codec::KeyFlag::serviceId)) msg.serviceId(key.serviceId);
            if (key.has(codec::KeyFlag::filter)) msg.filter(key.filter);
            if (key.has(codec::KeyFlag::identifier)) msg.id(key.identifier);
            for (const Value& a : m.attrib)
                msg.attrib(*build(a, nesting));
        }
        if (h.hasExtendedHeader()) msg.extendedHeader(buf(m.extendedHeader));
        for (const Value& p : m.payload)
            if (p.type != Type::NoData) msg.payload(*build(p, nesting));
    }
    template <class M>
    static void state(M& msg, const MsgParts& m) {
        const codec::State& s = m.header.state;
        msg.state(static_cast<OmmState::StreamState>(s.stream), static_cast<OmmState::DataState>(s.data), s.code,
                  str(m.stateText));
    }
    void fill(ReqMsg& msg, const MsgParts& m) const {
        namespace F = codec::RequestFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        if (h.has(F::priority)) msg.priority(h.priorityClass, h.priorityCount);
        if (h.hasQos()) msg.qos(timelinessOf(h.qos), rateOf(h.qos));
        msg.initialImage(!h.has(F::noRefresh)).interestAfterRefresh(h.has(F::streaming)).pause(h.has(F::pause));
        msg.conflatedInUpdates(h.has(F::confInfoInUpdates)).privateStream(h.has(F::privateStream));
    }
    void fill(RefreshMsg& msg, const MsgParts& m) const {
        namespace F = codec::RefreshFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        state(msg, m);
        if (h.hasQos()) msg.qos(timelinessOf(h.qos), rateOf(h.qos));
        if (h.hasSeqNum()) msg.seqNum(h.seqNum);
        if (h.hasPartNum()) msg.partNum(h.partNum);
        msg.itemGroup(buf(m.groupId));
        if (h.hasPermData()) msg.permissionData(buf(m.permData));
        if (h.hasPostUserInfo()) msg.publisherId(h.postUserId, h.postUserAddress);
        msg.solicited(h.has(F::solicited)).complete(h.has(F::complete)).clearCache(h.has(F::clearCache));
        msg.doNotCache(h.has(F::doNotCache)).privateStream(h.has(F::privateStream));
    }
    void fill(StatusMsg& msg, const MsgParts& m) const {
        namespace F = codec::StatusFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        if (h.hasState()) state(msg, m);
        if (h.hasGroupId()) msg.itemGroup(buf(m.groupId));
        if (h.hasPermData()) msg.permissionData(buf(m.permData));
        if (h.hasPostUserInfo()) msg.publisherId(h.postUserId, h.postUserAddress);
        msg.clearCache(h.has(F::clearCache)).privateStream(h.has(F::privateStream));
    }
    void fill(UpdateMsg& msg, const MsgParts& m) const {
        namespace F = codec::UpdateFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        msg.updateTypeNum(h.updateType);
        if (h.hasSeqNum()) msg.seqNum(h.seqNum);
        if (h.has(F::confInfo)) msg.conflated(h.conflationCount, h.conflationTime);
        if (h.hasPermData()) msg.permissionData(buf(m.permData));
        if (h.hasPostUserInfo()) msg.publisherId(h.postUserId, h.postUserAddress);
        msg.doNotCache(h.has(F::doNotCache)).doNotConflate(h.has(F::doNotConflate)).doNotRipple(h.has(F::doNotRipple));
    }
    void fill(AckMsg& msg, const MsgParts& m) const {
        namespace F = codec::AckFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        msg.ackId(h.ackId).privateStream(h.has(F::privateStream));
        if (h.hasSeqNum()) msg.seqNum(h.seqNum);
        if (h.has(F::nakCode)) msg.nackCode(h.nakCode);
        if (h.has(F::text)) msg.text(str(m.text));
    }
    void fill(GenericMsg& msg, const MsgParts& m) const {
        namespace F = codec::GenericFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        if (h.hasSeqNum()) msg.seqNum(h.seqNum);
        if (h.has(F::secondarySeqNum)) msg.secondarySeqNum(h.secondarySeqNum);
        if (h.hasPartNum()) msg.partNum(h.partNum);
        if (h.hasPermData()) msg.permissionData(buf(m.permData));
        msg.complete(h.has(F::complete)).providerDriven(h.has(F::providerDriven));
    }
    void fill(PostMsg& msg, const MsgParts& m) const {
        namespace F = codec::PostFlag;
        const codec::Msg& h = m.header;
        common(msg, m);
        msg.publisherId(h.postUserId, h.postUserAddress).complete(h.has(F::complete)).solicitAck(h.has(F::ack));
        if (h.hasSeqNum()) msg.seqNum(h.seqNum);
        if (h.has(F::postId)) msg.postId(h.postId);
        if (h.hasPartNum()) msg.partNum(h.partNum);
        if (h.has(F::postUserRights)) msg.postUserRights(h.postUserRights);
        if (h.hasPermData()) msg.permissionData(buf(m.permData));
    }

    template <class C>
    std::unique_ptr<ComplexType> container(const Value& v) const {
        auto c = std::make_unique<C>();
        fill(*c, v);
        c->complete();
        return c;
    }
    template <class C>
    std::unique_ptr<ComplexType> opaque(const Value& v) const {
        auto c = std::make_unique<C>();
        c->set(buf(v.bytes));
        return c;
    }
    template <class M>
    std::unique_ptr<ComplexType> whole(const Value& v) const {
        auto m = std::make_unique<M>();
        fill(*m, v.msg.front());
        return m;
    }
};

}  // namespace

std::unique_ptr<ComplexType> build(const Value& v, Nesting nesting) {
    const Builder b{nesting};
    switch (v.type) {
    case Type::FieldList:
        return b.container<FieldList>(v);
    case Type::ElementList:
        return b.container<ElementList>(v);
    case Type::Map:
        return b.container<Map>(v);
    case Type::Vector:
        return b.container<Vector>(v);
    case Type::Series:
        return b.container<Series>(v);
    case Type::FilterList:
        return b.container<FilterList>(v);
    case Type::Opaque:
        return b.opaque<OmmOpaque>(v);
    case Type::Xml:
        return b.opaque<OmmXml>(v);
    case Type::AnsiPage:
        return b.opaque<OmmAnsiPage>(v);
    case Type::Json:
        return b.opaque<OmmJson>(v);
    case Type::Msg:
        break;
    default:
        FAIL("no complex type: " << codec::name(v.type));
    }
    switch (v.msg.front().header.cls) {
    case codec::MsgClass::Request:
        return b.whole<ReqMsg>(v);
    case codec::MsgClass::Refresh:
        return b.whole<RefreshMsg>(v);
    case codec::MsgClass::Status:
        return b.whole<StatusMsg>(v);
    case codec::MsgClass::Update:
        return b.whole<UpdateMsg>(v);
    case codec::MsgClass::Ack:
        return b.whole<AckMsg>(v);
    case codec::MsgClass::Generic:
        return b.whole<GenericMsg>(v);
    default:
        return b.whole<PostMsg>(v);
    }
}

}  // namespace ematest
