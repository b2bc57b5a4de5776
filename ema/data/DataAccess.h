// ema/data: makes public data objects and re-points them; the friend that their headers name.
#pragma once

#include "data/Load.h"

#include "Access/Include/Attrib.h"
#include "Access/Include/Msg.h"
#include "Access/Include/OmmArray.h"
#include "Access/Include/OmmDate.h"
#include "Access/Include/OmmQos.h"
#include "Access/Include/OmmReal.h"
#include "Access/Include/OmmState.h"
#include "Access/Include/OmmTime.h"
#include "Access/Include/Payload.h"
#include "Access/Include/RmtesBuffer.h"

namespace emissary::ema {

class ContainerImpl;
struct MsgImpl;

struct DataAccess {
    template <class T>
    static std::unique_ptr<T> make() {
        return std::unique_ptr<T>(new T());
    }
    /// Re-points a primitive object at a load that has been resolved.
    template <class T>
    static void point(T& object, const LoadImpl& load, bool blank);

    // The types that updates are made of are decoded straight into their objects.
    static codec::Decoded read(access::OmmReal& o, Bytes in, codec::DataType setType) noexcept {
        codec::Real v;
        const codec::Decoded outcome = setType == codec::DataType::Real4RB || setType == codec::DataType::Real8RB
                                           ? codec::decodeSetReal(in, setType, v)
                                           : codec::decodeReal(in, v);
        o.mantissa_ = v.mantissa;
        o.magnitude_ = static_cast<access::OmmReal::MagnitudeType>(v.hint);
        setView(o.view_, in, outcome);
        return outcome;
    }
    /// Makes `o` the object of values whose bytes stay with the load; never blank.
    static void readFrom(access::OmmReal& o, const LoadCell& load) noexcept {
        o.cell_ = &load;
        o.view_.blank = false;
    }
    /// Text of a field list; `o` is kept for these, and owns nothing.
    static void readText(access::OmmRmtes& o, const LoadCell& load) noexcept {
        o.view_.bytes = load.bytes;
        o.view_.length = static_cast<access::UInt32>(load.length);
        o.view_.blank = false;
        o.value_.content_.bytes_ = const_cast<char*>(load.bytes);  // only a const buffer is handed out
        o.value_.content_.length_ = static_cast<access::UInt32>(load.length);
        o.value_.converted_ = o.value_.wide_ = false;
    }
    static codec::Decoded read(access::OmmDate& o, Bytes in) noexcept {
        codec::Date v;
        const codec::Decoded outcome = codec::decodeDate(in, v);
        o.year_ = v.year;
        o.month_ = v.month;
        o.day_ = v.day;
        setView(o.view_, in, outcome);
        return outcome;
    }
    static codec::Decoded read(access::OmmTime& o, Bytes in) noexcept {
        codec::Time v = codec::Time::blankTime();
        const codec::Decoded outcome = codec::decodeTime(in, v);
        o.hour_ = v.hour;
        o.minute_ = v.minute;
        o.second_ = v.second;
        o.millisecond_ = v.millisecond;
        o.microsecond_ = v.microsecond;
        o.nanosecond_ = v.nanosecond;
        setView(o.view_, in, outcome);
        return outcome;
    }
    static void setView(PrimitiveView& view, Bytes in, codec::Decoded outcome) noexcept {
        view.bytes = reinterpret_cast<const char*>(in.data());
        view.length = static_cast<access::UInt32>(in.size());
        view.blank = outcome != codec::Decoded::value;
    }

    /// Bytes and type of anything that can be a payload; completes what is open, throws when that is not possible.
    struct Encoded {
        codec::DataType type;
        Bytes bytes;
    };
    static Encoded encoded(const access::ComplexType& data);
    /// The same of what goes into a message; throws like requireContent() for what may not be contained.
    static Encoded encodedContent(const access::ComplexType& data, const char* what);
    /// Wire type of a contained object (every message is Msg).
    static codec::DataType wireType(const access::ComplexType& data) noexcept;
    /// Re-points a container or opaque object at received bytes.
    static void decode(access::ComplexType& object, access::DataType::DataTypeEnum type, Bytes bytes,
                       const Scope& scope);
    static void decode(access::FieldList& list, Bytes bytes, const Scope& scope) noexcept;
    static void pointQos(access::OmmQos& object, const codec::Qos& qos, Bytes bytes, bool blank);
    static void pointState(access::OmmState& object, const codec::State& state, Bytes bytes, bool blank);
    /// Shows bytes that somebody else owns and keeps; a copy of the buffer owns its own.
    static void view(access::EmaBuffer& buffer, const char* bytes, access::UInt32 length) noexcept {
        buffer.release();
        buffer.bytes_ = const_cast<char*>(bytes);  // only a const buffer is handed out
        buffer.length_ = length;
        buffer.capacity_ = 0;
    }
    /// Content that somebody else owns and keeps; nothing is converted yet.
    static void setRmtes(access::RmtesBuffer& buffer, const char* bytes, access::UInt32 length);
    static Bytes encodedArray(const access::OmmArray& array);
    static void decodeArray(access::OmmArray& array, Bytes bytes, const Scope& scope);
    /// The implementation object of a container (not of messages); null for other types.
    static ContainerImpl* impl(const access::ComplexType& data) noexcept { return impl(data, data.getDataType()); }
    /// The same when the type is known.
    static ContainerImpl* impl(const access::ComplexType& data, access::DataType::DataTypeEnum type) noexcept;
    static MsgImpl& msg(const access::Msg& m) noexcept;

    // Entries, keys and so on are made in place by their owners.
    template <class T>
    struct Plain {
        Plain() : value() {}
        T value;
    };
    template <class T>
    struct Entry {
        explicit Entry(LoadImpl& load) : value(load) {}
        T value;
    };
};

}  // namespace emissary::ema
