// ema/data: decoding of one value, and the public object that shows it. A load is resolved once, by a function chosen
// by its type; objects are made on first use and pointed at the next value afterwards.
#include "data/Load.h"

#include "data/DataAccess.h"
#include "errors/raise.h"
#include "text/print.h"

#include "Access/Include/AckMsg.h"
#include "Access/Include/ElementList.h"
#include "Access/Include/FieldList.h"
#include "Access/Include/FilterList.h"
#include "Access/Include/GenericMsg.h"
#include "Access/Include/Map.h"
#include "Access/Include/OmmAnsiPage.h"
#include "Access/Include/OmmArray.h"
#include "Access/Include/OmmAscii.h"
#include "Access/Include/OmmBuffer.h"
#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmDateTime.h"
#include "Access/Include/OmmDouble.h"
#include "Access/Include/OmmEnum.h"
#include "Access/Include/OmmFloat.h"
#include "Access/Include/OmmInt.h"
#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmJson.h"
#include "Access/Include/OmmOpaque.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmRmtes.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/OmmUInt.h"
#include "Access/Include/OmmUtf8.h"
#include "Access/Include/OmmXml.h"
#include "Access/Include/PostMsg.h"
#include "Access/Include/RefreshMsg.h"
#include "Access/Include/ReqMsg.h"
#include "Access/Include/Series.h"
#include "Access/Include/StatusMsg.h"
#include "Access/Include/UpdateMsg.h"
#include "Access/Include/Vector.h"
#include "data/MsgAccess.h"
#include "data/NoData.h"

namespace emissary::ema {

using access::DataType;
using access::OmmError;
using codec::Decoded;
using T = codec::DataType;

namespace {

constexpr access::Int32 kInvalidOperation = access::OmmInvalidUsageException::InvalidOperationEnum;

/// The public type of a nested message.
DataType::DataTypeEnum typeOf(codec::MsgClass c) noexcept {
    switch (c) {
    case codec::MsgClass::Request:
        return DataType::ReqMsgEnum;
    case codec::MsgClass::Refresh:
        return DataType::RefreshMsgEnum;
    case codec::MsgClass::Status:
        return DataType::StatusMsgEnum;
    case codec::MsgClass::Update:
        return DataType::UpdateMsgEnum;
    case codec::MsgClass::Close:
        return DataType::MsgEnum;
    case codec::MsgClass::Ack:
        return DataType::AckMsgEnum;
    case codec::MsgClass::Generic:
        return DataType::GenericMsgEnum;
    case codec::MsgClass::Post:
        return DataType::PostMsgEnum;
    }
    return DataType::ErrorEnum;
}

/// Types that have a public class; everything else in 143..255 is opaque to us.
bool isKnownComplex(T type) noexcept {
    switch (type) {
    case T::NoData:
    case T::Opaque:
    case T::Xml:
    case T::FieldList:
    case T::ElementList:
    case T::AnsiPage:
    case T::FilterList:
    case T::Vector:
    case T::Map:
    case T::Series:
    case T::Msg:
    case T::Json:
        return true;
    default:
        return false;
    }
}

std::string typeText(DataType::DataTypeEnum type) {
    const DataType name(type);
    return name.toString().c_str();
}

}  // namespace

OmmError::ErrorCode errorOf(eta::Error e) noexcept {
    return static_cast<OmmError::ErrorCode>(errorCodeOf(e));
}

LoadImpl::LoadImpl() {
    static const Scope none;
    scope_ = &none;
}
LoadImpl::~LoadImpl() = default;

template <class Object>
Object& LoadImpl::slot() {
    // One object for each class and load: a value that is read again costs no allocation.
    std::unique_ptr<access::Data>& place = objects_[LoadPlaces::of<Object>()];
    if (!place) [[unlikely]]
        place = DataAccess::make<Object>();
    return static_cast<Object&>(*place);
}

struct LoadImpl::Held {
    // lookInList() fills listReal, whose bytes are those of the load; real is for all other values and views its own.
    DataAccess::Plain<access::OmmReal> listReal, real;
    DataAccess::Plain<access::OmmDate> date;
    DataAccess::Plain<access::OmmTime> time;
    DataAccess::Plain<access::OmmRmtes> text;
};

/// The load becomes an error of this kind; its bytes stay for getAsHex().
// Errors are values: an application reads the fields that are good, and the bad one says what is wrong.
LoadCell::Type LoadImpl::unreadable(ErrorCode code) noexcept {
    error_ = code;
    valueType = kNone;
    state = State::error;
    object = nullptr;
    return otherType = DataType::ErrorEnum;
}

/// There is one function for each type: a jump finds it, and it touches only what it needs.
struct Resolve {
    using Type = LoadCell::Type;

    /// For values whose object is made on demand.
    static Type bare(LoadImpl& l, Type type, Decoded outcome) {
        l.object = nullptr;
        return done(l, type, outcome);
    }
    /// Notes what decoding found: a value, a blank, or bytes that cannot be decoded.
    static Type done(LoadImpl& l, Type type, Decoded outcome) {
        if (outcome == Decoded::value) [[likely]]
            return l.valueType = type;
        if (outcome != Decoded::blank) return l.unreadable(OmmError::IncompleteDataEnum);
        l.state = LoadCell::State::blank;
        return l.otherType = type;
    }
    static LoadImpl::Held& held(LoadImpl& l) {
        if (!l.held_) [[unlikely]]
            l.hold();
        return *l.held_;
    }
    [[gnu::noinline]] static Type asReal(LoadImpl& l) {
        return done(l, DataType::RealEnum, DataAccess::read(l.made(held(l).real.value), l.content(), l.setType_));
    }
    static Type asDate(LoadImpl& l) {
        return done(l, DataType::DateEnum, DataAccess::read(l.made(held(l).date.value), l.content()));
    }
    // Fields of standard data come by setField(), which has made what held_ points at.
    static Type asDateInList(LoadImpl& l) {
        return done(l, DataType::DateEnum, DataAccess::read(l.made(l.held_->date.value), l.content()));
    }
    static Type asTime(LoadImpl& l) {
        return done(l, DataType::TimeEnum, DataAccess::read(l.made(held(l).time.value), l.content()));
    }
    static Type asTimeInList(LoadImpl& l) {
        return done(l, DataType::TimeEnum, DataAccess::read(l.made(l.held_->time.value), l.content()));
    }
    static Type asRmtesInList(LoadImpl& l) {
        if (l.length == 0) return bare(l, DataType::RmtesEnum, Decoded::blank);
        DataAccess::readText(l.made(l.held_->text.value), l);
        return done(l, DataType::RmtesEnum, Decoded::value);
    }
    static Type asEnum(LoadImpl& l) {
        std::uint16_t v = 0;
        const Decoded outcome = codec::decodeEnum(l.content(), v);
        l.scalar.u = v;
        return bare(l, DataType::EnumEnum, outcome);
    }
    static Type asUInt(LoadImpl& l) {
        std::uint64_t v = 0;
        const Decoded outcome = codec::decodeUInt(l.content(), v);
        l.scalar.u = v;
        return bare(l, DataType::UIntEnum, outcome);
    }
    static Type asInt(LoadImpl& l) {
        std::int64_t v = 0;
        const Decoded outcome = codec::decodeInt(l.content(), v);
        l.scalar.i = v;
        return bare(l, DataType::IntEnum, outcome);
    }
    static Type asFloat(LoadImpl& l) {
        return bare(l, DataType::FloatEnum, codec::decodeFloat(l.content(), l.scalar.f));
    }
    static Type asDouble(LoadImpl& l) {
        return bare(l, DataType::DoubleEnum, codec::decodeDouble(l.content(), l.scalar.d));
    }
    static Type asDateTime(LoadImpl& l) {
        l.dateTime_ = {};
        return bare(l, DataType::DateTimeEnum, codec::decodeDateTime(l.content(), l.dateTime_));
    }
    static Type asQos(LoadImpl& l) {
        l.qos_ = {};
        return bare(l, DataType::QosEnum, codec::decodeQos(l.content(), l.qos_));
    }
    static Type asState(LoadImpl& l) {
        return bare(l, DataType::StateEnum, codec::decodeState(l.content(), l.stateValue_));
    }
    /// For content that is shown as it is.
    template <DataType::DataTypeEnum type>
    static Type asBytes(LoadImpl& l) {
        return bare(l, type, l.length == 0 ? Decoded::blank : Decoded::value);
    }
    static Type unsupported(LoadImpl& l) { return l.unreadable(OmmError::UnsupportedDataTypeEnum); }
    /// Type 0: a field without a definition, or a value of no type.
    // Without a dictionary a field has no type. The error says which of the two is missing.
    static Type unknown(LoadImpl& l) {
        if (!l.field_) return unsupported(l);
        if (l.scope_->dictionary == nullptr) return l.unreadable(OmmError::NoDictionaryEnum);
        return l.definition() == nullptr ? l.unreadable(OmmError::FieldIdNotFoundEnum) : unsupported(l);
    }
    /// Containers and messages: nesting is bounded, messages have their header decoded here.
    static Type complex(LoadImpl& l) {
        const T wire = l.type_;
        // The depth is the peer's choice, so it has a bound (codec::kMaxDepth).
        if (l.scope_->depth >= codec::kMaxDepth) return l.unreadable(OmmError::IteratorOverrunEnum);
        auto type = static_cast<DataType::DataTypeEnum>(wire);
        if (wire == T::Msg) {
            if (!codec::decodeMsg(l.content(), l.msg_).ok()) return l.unreadable(OmmError::IncompleteDataEnum);
            // A close message has no public class.
            if (l.msg_.cls == codec::MsgClass::Close) return unsupported(l);
            type = typeOf(l.msg_.cls);
        } else if (!isKnownComplex(wire)) {
            // A type without a public class is shown with its bytes, so newer peers do not break older programs.
            l.type_ = T::Opaque;
            type = DataType::OpaqueEnum;
        }
        return bare(l, type, Decoded::value);
    }

    using Function = Type (*)(LoadImpl&);
    using Table = std::array<Function, 256>;
    static constexpr Table kByType = [] {
        Table f{};
        f.fill(&unsupported);
        const auto at = [&f](T type) -> Function& { return f[static_cast<std::size_t>(type)]; };
        at(T::Unknown) = &unknown;
        at(T::Int) = &asInt;
        at(T::UInt) = &asUInt;
        at(T::Float) = &asFloat;
        at(T::Double) = &asDouble;
        at(T::Real) = &asReal;
        at(T::Date) = &asDate;
        at(T::Time) = &asTime;
        at(T::DateTime) = &asDateTime;
        at(T::Qos) = &asQos;
        at(T::State) = &asState;
        at(T::Enum) = &asEnum;
        at(T::Array) = &asBytes<DataType::ArrayEnum>;
        at(T::Buffer) = &asBytes<DataType::BufferEnum>;
        at(T::AsciiString) = &asBytes<DataType::AsciiEnum>;
        at(T::Utf8String) = &asBytes<DataType::Utf8Enum>;
        at(T::RmtesString) = &asBytes<DataType::RmtesEnum>;
        // Types from 128 are containers and messages.
        for (std::size_t i = 128; i < f.size(); ++i)
            f[i] = &complex;
        return f;
    }();
    /// For fields of standard data, whose types are the dictionary's.
    static constexpr Table kInList = [] {
        Table f = kByType;
        f[static_cast<std::size_t>(T::Date)] = &asDateInList;
        f[static_cast<std::size_t>(T::Time)] = &asTimeInList;
        f[static_cast<std::size_t>(T::RmtesString)] = &asRmtesInList;
        return f;
    }();
};

void LoadImpl::hold() {
    held_ = std::make_unique<Held>();
    real = &held_->listReal.value;
    date = &held_->date.value;
    time = &held_->time.value;
    text = &held_->text.value;
    DataAccess::readFrom(*real, *this);
}

/// The type of a field in set data, or without a dictionary.
codec::DataType LoadImpl::unusualField() noexcept {
    if (scope_->dictionary == nullptr) return T::Unknown;
    return setType_ == T::Unknown ? scope_->dictionary->typeOf(fieldId) : codec::baseType(setType_);
}

LoadCell::Type LoadCell::resolve() {
    LoadImpl& l = static_cast<LoadImpl&>(*this);
    if (fieldTypes != nullptr) [[likely]] {
        l.type_ = static_cast<T>(fieldTypes[static_cast<std::uint16_t>(fieldId)]);
        return Resolve::kInList[static_cast<std::size_t>(l.type_)](l);
    }
    if (l.field_) l.type_ = l.unusualField();
    return Resolve::kByType[static_cast<std::size_t>(l.type_)](l);
}

access::Data& LoadCell::made() {
    return static_cast<LoadImpl*>(this)->make();
}

codec::DataType LoadImpl::wireType() {
    (void)resolved();
    // What lookInList() reads leaves type_ as it was; values of these types have the same numbers on the wire.
    return valueType != kNone && valueType <= DataType::RmtesEnum ? static_cast<T>(valueType) : type_;
}

/// The object that shows the value, of the class that its type says.
access::Data& LoadImpl::make() {
    const auto primitive = [&]<class Object>(std::type_identity<Object>) -> access::Data& {
        Object& o = slot<Object>();
        DataAccess::point(o, *this, isBlank());
        return made(o);
    };
    const auto container = [&]<class Object>(std::type_identity<Object>) -> access::Data& {
        Object& o = slot<Object>();
        DataAccess::decode(o, static_cast<DataType::DataTypeEnum>(type_), content(), *scope_);
        return made(o);
    };
    const auto message = [&]<class Object>(std::type_identity<Object>) -> access::Data& {
        Object& o = slot<Object>();
        // The service name belongs to the message outside; this one may speak of another service.
        MsgAccess::point(o, msg_, DecodeContext{scope_->dictionary, {}, false});
        return made(o);
    };
#define EMISSARY_PRIMITIVE(Name, Class)                                                                                \
    case T::Name:                                                                                                      \
        return primitive(std::type_identity<access::Class>{});
#define EMISSARY_CONTAINER(Name, Class)                                                                                \
    case T::Name:                                                                                                      \
        return container(std::type_identity<access::Class>{});
#define EMISSARY_MESSAGE(Name, Class)                                                                                  \
    case codec::MsgClass::Name:                                                                                        \
        return message(std::type_identity<access::Class>{});
    if (resolved() != State::error) {
        if (object != nullptr) return *object;  // made while resolving
        switch (wireType()) {
            EMISSARY_PRIMITIVE(Int, OmmInt)
            EMISSARY_PRIMITIVE(UInt, OmmUInt)
            EMISSARY_PRIMITIVE(Float, OmmFloat)
            EMISSARY_PRIMITIVE(Double, OmmDouble)
            EMISSARY_PRIMITIVE(DateTime, OmmDateTime)
            EMISSARY_PRIMITIVE(Qos, OmmQos)
            EMISSARY_PRIMITIVE(State, OmmState)
            EMISSARY_PRIMITIVE(Enum, OmmEnum)
            EMISSARY_PRIMITIVE(Buffer, OmmBuffer)
            EMISSARY_PRIMITIVE(AsciiString, OmmAscii)
            EMISSARY_PRIMITIVE(Utf8String, OmmUtf8)
            EMISSARY_PRIMITIVE(RmtesString, OmmRmtes)
        case T::Array: {
            auto& o = slot<access::OmmArray>();
            DataAccess::decodeArray(o, content(), *scope_);
            return made(o);
        }
            EMISSARY_CONTAINER(FieldList, FieldList)
            EMISSARY_CONTAINER(ElementList, ElementList)
            EMISSARY_CONTAINER(Map, Map)
            EMISSARY_CONTAINER(Vector, Vector)
            EMISSARY_CONTAINER(Series, Series)
            EMISSARY_CONTAINER(FilterList, FilterList)
            EMISSARY_CONTAINER(Opaque, OmmOpaque)
            EMISSARY_CONTAINER(Xml, OmmXml)
            EMISSARY_CONTAINER(AnsiPage, OmmAnsiPage)
            EMISSARY_CONTAINER(Json, OmmJson)
        case T::NoData:
            return made(slot<NoData>());
        case T::Msg:
            switch (msg_.cls) {
                EMISSARY_MESSAGE(Request, ReqMsg)
                EMISSARY_MESSAGE(Refresh, RefreshMsg)
                EMISSARY_MESSAGE(Status, StatusMsg)
                EMISSARY_MESSAGE(Update, UpdateMsg)
                EMISSARY_MESSAGE(Ack, AckMsg)
                EMISSARY_MESSAGE(Generic, GenericMsg)
                EMISSARY_MESSAGE(Post, PostMsg)
            case codec::MsgClass::Close:
                break;  // has no public class
            }
            break;
        default:
            break;
        }
        error_ = OmmError::UnsupportedDataTypeEnum;
    }
#undef EMISSARY_PRIMITIVE
#undef EMISSARY_CONTAINER
#undef EMISSARY_MESSAGE
    auto& o = slot<OmmError>();
    DataAccess::point(o, *this, false);
    return made(o);
}

access::FieldList& LoadImpl::fieldList(const char* getter) {
    const bool unseen = isPending() && !field_ && type_ == T::FieldList && scope_->depth < codec::kMaxDepth;
    if (!unseen && (valueType != DataType::FieldListEnum || object != nullptr)) [[unlikely]]
        return complex<access::FieldList>(DataType::FieldListEnum, getter);
    auto& list = slot<access::FieldList>();
    DataAccess::decode(list, content(), *scope_);
    valueType = DataType::FieldListEnum;
    return made(list);
}

access::Data& LoadImpl::data() {
    (void)resolved();
    return object != nullptr ? *object : make();
}

const OmmError& LoadImpl::getError() {
    if (loadType() != DataType::ErrorEnum) wrongType("getError()");
    return static_cast<const OmmError&>(data());
}

void LoadImpl::wrongType(const char* getter) {
    throwInvalidUsage(std::string("Attempt to ") + getter + " while actual entry data type is " + typeText(loadType()),
                      kInvalidOperation);
}
void LoadCell::refuse(DataType::DataTypeEnum wanted, const char* getter) {
    if (isBlank() && otherType == wanted)
        throwInvalidUsage(std::string("Attempt to ") + getter + " while entry data is blank.", kInvalidOperation);
    static_cast<LoadImpl*>(this)->wrongType(getter);
}

}  // namespace emissary::ema
