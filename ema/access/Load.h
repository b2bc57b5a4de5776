// One value that somebody else's bytes hold: the load of an entry, a map key, summary data, attributes or a payload.
// Decoded on first use; the public objects made from it are kept and re-pointed, so that walking a list does not
// allocate.
#pragma once

#include "Access/Include/ComplexType.h"
#include "Access/Include/OmmError.h"
#include "eta/codec/Msg.h"
#include "eta/codec/SetDefinitions.h"
#include "eta/codec/primitives.h"
#include "eta/dictionary/Dictionary.h"

#include <array>
#include <memory>
#include <string_view>

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
};

class ContainerImpl;

class LoadImpl {
public:
    using ErrorCode = access::OmmError::ErrorCode;
    enum class State : std::uint8_t { pending, value, blank, error };

    /// A value of known type. `setType` is its form inside set data, Unknown elsewhere.
    void set(codec::DataType type, Bytes data, const Scope& scope,
             codec::DataType setType = codec::DataType::Unknown) noexcept {
        type_ = type;
        setType_ = setType;
        data_ = data;
        scope_ = &scope;
        field_ = false;
        restart(State::pending);
    }
    /// A field: its type comes from the dictionary, on first use.
    void setField(std::int16_t fieldId, Bytes data, const Scope& scope, codec::DataType setType) noexcept {
        fieldId_ = fieldId;
        setType_ = setType;
        data_ = data;
        scope_ = &scope;
        field_ = true;
        restart(State::pending);
    }
    void setError(ErrorCode code, Bytes data, const Scope& scope) noexcept {
        data_ = data;
        scope_ = &scope;
        field_ = false;
        error_ = code;
        type_ = codec::DataType::Unknown;
        restart(State::error);
    }

    [[nodiscard]] State state() {
        if (state_ == State::pending) resolve();
        return state_;
    }
    [[nodiscard]] access::DataType::DataTypeEnum loadType() {
        if (state() == State::error) [[unlikely]]
            return access::DataType::ErrorEnum;
        if (type_ == codec::DataType::Msg) [[unlikely]]
            return messageType();
        return static_cast<access::DataType::DataTypeEnum>(type_);
    }
    [[nodiscard]] access::Data::DataCode code() {
        return state() == State::blank ? access::Data::BlankEnum : access::Data::NoCodeEnum;
    }
    /// The value as a public object of its type (OmmError when it cannot be decoded).
    [[nodiscard]] access::Data& data();
    [[nodiscard]] Bytes bytes() const noexcept { return data_; }
    [[nodiscard]] codec::DataType wireType();
    [[nodiscard]] codec::DataType setType() const noexcept { return setType_; }
    [[nodiscard]] const Scope& scope() const noexcept { return *scope_; }
    [[nodiscard]] std::int16_t fieldId() const noexcept { return fieldId_; }
    [[nodiscard]] const eta::dictionary::FieldDefinition* definition() const noexcept {
        return scope_->dictionary == nullptr ? nullptr : scope_->dictionary->find(fieldId_);
    }

    // Typed access; another type or a blank value throws, naming the getter.
    [[nodiscard]] std::int64_t getInt() {
        check(codec::DataType::Int, "getInt()");
        return scalar_.i;
    }
    [[nodiscard]] std::uint64_t getUInt() {
        check(codec::DataType::UInt, "getUInt()");
        return scalar_.u;
    }
    [[nodiscard]] float getFloat() {
        check(codec::DataType::Float, "getFloat()");
        return scalar_.f;
    }
    [[nodiscard]] double getDouble() {
        check(codec::DataType::Double, "getDouble()");
        return scalar_.d;
    }
    [[nodiscard]] std::uint16_t getEnum() {
        check(codec::DataType::Enum, "getEnum()");
        return static_cast<std::uint16_t>(scalar_.u);
    }
    /// A reference to the public object of class T, whose value may not be blank.
    template <class T>
    [[nodiscard]] T& value(codec::DataType wanted, const char* getter) {
        check(wanted, getter);
        return static_cast<T&>(current_ != nullptr ? *current_ : make());
    }
    /// A contained object (container, message, opaque); blankness does not exist here.
    template <class T>
    [[nodiscard]] T& complex(access::DataType::DataTypeEnum wanted, const char* getter) {
        if (loadType() != wanted) wrongType(getter);
        return static_cast<T&>(current_ != nullptr ? *current_ : make());
    }
    [[nodiscard]] const access::OmmError& getError();

    // Decoded scalars, for the objects that are made from them.
    union Scalar {
        std::int64_t i;
        std::uint64_t u;
        float f;
        double d;
        codec::DateTime dateTime;
        codec::Qos qos;
        Scalar() : i(0) {}
    };
    [[nodiscard]] const Scalar& scalar() const noexcept { return scalar_; }
    [[nodiscard]] const codec::State& stateValue() const noexcept { return stateValue_; }
    [[nodiscard]] ErrorCode error() const noexcept { return error_; }

    /// The container whose entry this is; null for keys, summary data, attributes and payloads.
    void belongTo(ContainerImpl* owner) noexcept { owner_ = owner; }
    [[nodiscard]] ContainerImpl* owner() const noexcept { return owner_; }

    LoadImpl();
    ~LoadImpl();
    LoadImpl(const LoadImpl&) = delete;
    LoadImpl& operator=(const LoadImpl&) = delete;

private:
    [[nodiscard]] access::DataType::DataTypeEnum messageType() const noexcept;
    void restart(State state) noexcept {
        state_ = state;
        current_ = nullptr;
    }
    void check(codec::DataType wanted, const char* getter) {
        if (state() != State::value || type_ != wanted) [[unlikely]]
            refuse(wanted, getter);
    }
    void resolve();
    void unresolved(ErrorCode code) noexcept;
    [[nodiscard]] codec::Decoded decodeValue(codec::DataType type);
    template <class Object, class... Args>
    codec::Decoded readInto(codec::DataType type, const Args&... args);
    [[nodiscard]] access::Data& make();
    template <class T>
    [[nodiscard]] T& slot(std::size_t index);
    [[noreturn]] void refuse(codec::DataType wanted, const char* getter);
    [[noreturn]] void wrongType(const char* getter);

    codec::DataType type_ = codec::DataType::Unknown, setType_ = codec::DataType::Unknown;
    State state_ = State::error;
    bool field_ = false;
    std::int16_t fieldId_ = 0;
    ErrorCode error_ = access::OmmError::NoErrorEnum;
    const Scope* scope_ = nullptr;
    Bytes data_;
    access::Data* current_ = nullptr;
    Scalar scalar_;  // up to here: what an ordinary field touches, one cache line
    ContainerImpl* owner_ = nullptr;
    std::array<std::unique_ptr<access::Data>, 36> objects_;
    codec::State stateValue_;
    codec::Msg msg_;  ///< decoded header when the load is a message
};

}  // namespace emissary::ema
