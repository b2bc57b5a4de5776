// ema/data: one value that somebody else's bytes hold: the load of an entry, a map key, summary data, attributes or a
// payload. Decoded on first use; the public objects made from it are kept and re-pointed, so that walking a list does
// not allocate.
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/EmaString.h"
#include "Access/Include/OmmError.h"
#include "Access/Include/detail/LoadCell.h"
#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/primitives.h"
#include "eta/dictionary/Dictionary.h"

#include <algorithm>
#include <array>
#include <memory>
#include <string_view>
#include <type_traits>

namespace refinitiv::ema::access {
class AckMsg;
class ElementList;
class FieldList;
class FilterList;
class GenericMsg;
class Map;
class OmmAnsiPage;
class OmmArray;
class OmmAscii;
class OmmBuffer;
class OmmDateTime;
class OmmDouble;
class OmmEnum;
class OmmFloat;
class OmmInt;
class OmmJson;
class OmmOpaque;
class OmmQos;
class OmmRmtes;
class OmmState;
class OmmUInt;
class OmmUtf8;
class OmmXml;
class PostMsg;
class RefreshMsg;
class ReqMsg;
class Series;
class StatusMsg;
class UpdateMsg;
class Vector;
}  // namespace refinitiv::ema::access

namespace emissary::ema {

namespace access = refinitiv::ema::access;
namespace codec = eta::codec;
using eta::Bytes;

/// What decoding a container needs besides its bytes. Borrowed.
struct Scope {
    const eta::dictionary::Dictionary* dictionary = nullptr;
    const codec::SetDefinitionDb* sets = nullptr;
    std::string_view serviceName;  ///< for messages inside
    bool hasServiceName = false;
    int depth = 0;  ///< nesting so far; bounded by codec::kMaxDepth

    /// The same objects, not objects with the same content.
    [[nodiscard]] bool operator==(const Scope& other) const noexcept {
        return dictionary == other.dictionary && sets == other.sets && serviceName.data() == other.serviceName.data() &&
               serviceName.size() == other.serviceName.size() && hasServiceName == other.hasServiceName &&
               depth == other.depth;
    }
};

class ContainerImpl;
class NoData;

/// Classes of objects that are kept side by side, each at the place that its position says: as every class is listed
/// once, no two can share a place.
template <class... Object>
struct ObjectPlaces {
    static constexpr std::size_t count = sizeof...(Object);
    template <class Wanted>
    [[nodiscard]] static consteval std::size_t of() {
        constexpr std::array<bool, count> same{std::is_same_v<Wanted, Object>...};
        static_assert(std::count(same.begin(), same.end(), true) == 1, "every class is listed exactly once");
        return static_cast<std::size_t>(std::find(same.begin(), same.end(), true) - same.begin());
    }
};
/// What a load may be shown as, besides the values that updates are made of (LoadImpl::Held).
using LoadPlaces =
    ObjectPlaces<access::OmmInt, access::OmmUInt, access::OmmFloat, access::OmmDouble, access::OmmDateTime,
                 access::OmmQos, access::OmmState, access::OmmEnum, access::OmmArray, access::OmmBuffer,
                 access::OmmAscii, access::OmmUtf8, access::OmmRmtes, NoData, access::OmmOpaque, access::OmmXml,
                 access::OmmAnsiPage, access::OmmJson, access::FieldList, access::ElementList, access::FilterList,
                 access::Vector, access::Map, access::Series, access::ReqMsg, access::RefreshMsg, access::UpdateMsg,
                 access::StatusMsg, access::PostMsg, access::AckMsg, access::GenericMsg, access::OmmError>;

/// What an entry of type Error says about bytes that cannot be decoded.
[[nodiscard]] access::OmmError::ErrorCode errorOf(eta::Error e) noexcept;

class LoadImpl : public LoadCell {
public:
    using ErrorCode = access::OmmError::ErrorCode;

    /// A value of known type. `setType` is its form inside set data, Unknown elsewhere.
    void set(codec::DataType wireType, Bytes data, const Scope& scope,
             codec::DataType setType = codec::DataType::Unknown) noexcept {
        type_ = wireType;
        field_ = false;
        point(data, scope, setType);
    }
    /// A field: its type comes from the dictionary, on first use. Its content lies in a field list: what comes before
    /// it there may be read, too (readReal()).
    void setField(std::int16_t id, Bytes data, const Scope& scope, codec::DataType setType) noexcept {
        fieldId = id;
        field_ = true;
        point(data, scope, setType);
        if (setType != codec::DataType::Unknown || scope.dictionary == nullptr) return;
        fieldTypes = reinterpret_cast<const access::UInt8*>(scope.dictionary->types());
        if (!held_) hold();
    }
    void setError(ErrorCode code, Bytes data, const Scope& scope) noexcept {
        field_ = false;
        point(data, scope, codec::DataType::Unknown);
        (void)unreadable(code);
    }

    [[nodiscard]] State resolved() {
        (void)loadType();
        return valueType != kNone ? State::value : state;
    }
    /// The value as a public object of its type (OmmError when it cannot be decoded).
    [[nodiscard]] access::Data& data();
    [[nodiscard]] Bytes content() const noexcept { return {reinterpret_cast<const std::byte*>(bytes), length}; }
    [[nodiscard]] codec::DataType wireType();
    [[nodiscard]] codec::DataType setType() const noexcept { return setType_; }
    [[nodiscard]] const Scope& scope() const noexcept { return *scope_; }
    [[nodiscard]] const eta::dictionary::FieldDefinition* definition() const noexcept {
        return scope_->dictionary == nullptr ? nullptr : scope_->dictionary->find(fieldId);
    }

    // Typed access; another type or a blank value throws, naming the getter.
    /// A reference to the public object of class T, whose value may not be blank.
    template <class T>
    [[nodiscard]] T& value(access::DataType::DataTypeEnum wanted, const char* getter) {
        if (!holds(wanted)) [[unlikely]]
            refuse(wanted, getter);
        return static_cast<T&>(object != nullptr ? *object : make());
    }
    /// A contained object (container, message, opaque); blankness does not exist here.
    template <class T>
    [[nodiscard]] T& complex(access::DataType::DataTypeEnum wanted, const char* getter) {
        if (loadType() != wanted) wrongType(getter);
        return static_cast<T&>(object != nullptr ? *object : make());
    }
    /// The same for a field list, without detours for one that nobody has looked at: what most payloads are.
    [[nodiscard]] access::FieldList& fieldList(const char* getter);
    [[nodiscard]] const access::OmmError& getError();

    // Decoded values, for the objects that are made from them.
    [[nodiscard]] const codec::DateTime& dateTimeValue() const noexcept { return dateTime_; }
    [[nodiscard]] const codec::Qos& qosValue() const noexcept { return qos_; }
    [[nodiscard]] const codec::State& stateValue() const noexcept { return stateValue_; }
    [[nodiscard]] ErrorCode error() const noexcept { return error_; }

    /// What getters of the entry return by reference, each in a place of its own.
    struct Texts {
        access::EmaString whole, name, rippleToName, enumDisplay, action;
    };
    [[nodiscard]] Texts& texts() {
        if (!texts_) texts_ = std::make_unique<Texts>();
        return *texts_;
    }

    /// The container whose entry this is; null for keys, summary data, attributes and payloads.
    void belongTo(ContainerImpl* owner) noexcept { owner_ = owner; }
    [[nodiscard]] ContainerImpl* owner() const noexcept { return owner_; }

    LoadImpl();
    ~LoadImpl();
    LoadImpl(const LoadImpl&) = delete;
    LoadImpl& operator=(const LoadImpl&) = delete;

private:
    void point(Bytes data, const Scope& scope, codec::DataType setType) noexcept {
        bytes = reinterpret_cast<const char*>(data.data());
        length = data.size();
        setType_ = setType;
        scope_ = &scope;
        fieldTypes = nullptr;
        setPending();
    }
    friend struct LoadCell;
    friend struct Resolve;
    [[nodiscard, gnu::noinline]] codec::DataType unusualField() noexcept;
    void hold();
    Type unreadable(ErrorCode code) noexcept;
    [[nodiscard]] access::Data& make();
    /// The kept object of class T, made when it is wanted first.
    template <class T>
    [[nodiscard]] T& slot();
    [[noreturn]] void wrongType(const char* getter);

    template <class T>
    T& made(T& made) noexcept {
        object = &made;
        return made;
    }

    codec::DataType type_ = codec::DataType::Unknown, setType_ = codec::DataType::Unknown;
    bool field_ = false;
    struct Held;  ///< what updates are made of, at hand
    std::unique_ptr<Held> held_;
    const Scope* scope_ = nullptr;
    ErrorCode error_ = access::OmmError::NoErrorEnum;
    ContainerImpl* owner_ = nullptr;
    std::unique_ptr<Texts> texts_;
    std::array<std::unique_ptr<access::Data>, LoadPlaces::count> objects_;
    codec::State stateValue_;
    codec::DateTime dateTime_;
    codec::Qos qos_;
    codec::Msg msg_;  ///< decoded header when the load is a message
};

}  // namespace emissary::ema
