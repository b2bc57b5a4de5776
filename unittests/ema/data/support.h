// What the tests of the data classes share: exceptions as values, received messages, a dictionary.
#pragma once

#include "Access/Include/OmmInvalidUsageException.h"
#include "Access/Include/OmmOutOfRangeException.h"
#include "Access/Include/OmmUnsupportedDomainTypeException.h"
#include "data/MsgAccess.h"
#include "eta/codec/Msg.h"
#include "eta/codec/model/Value.h"
#include "eta/core/bytes.h"
#include "eta/dictionary/Dictionary.h"
#include "support/catch.hpp"
#include "support/paths.h"

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace ematest {

using namespace refinitiv::ema::access;
namespace codec = emissary::eta::codec;
using emissary::eta::Bytes;
using emissary::eta::dictionary::Dictionary;

/// The refresh of the specification's example, as text (ema-api.md).
inline constexpr const char* kExampleRefresh = R"(RefreshMsg
    streamId="5"
    domain="MarketPrice Domain"
    Solicited
    RefreshComplete
    state="Open / Ok / None / 'image ready'"
    itemGroup="00 00"
    qos="RealTime/TickByTick"
    name="ABC.X"
    nameType="1"
    serviceId="1"
    serviceName="DIRECT_FEED"
    Payload dataType="FieldList"
        FieldList FieldListNum="0" DictionaryId="1"
            FieldEntry fid="22" name="BID" dataType="Real" value="10.25"
        FieldListEnd

    PayloadEnd
RefreshMsgEnd
)";

inline std::string text(const EmaString& s) {
    return {s.c_str(), s.length()};
}
inline std::string text(const EmaBuffer& b) {
    return {b.c_buf(), b.length()};
}
inline EmaBuffer buffer(std::string_view s) {
    return {s.data(), static_cast<UInt32>(s.size())};
}
inline std::string hex(std::string_view bytes) {
    static constexpr char kDigits[] = "0123456789abcdef";
    std::string out;
    for (const char c : bytes) {
        out += kDigits[static_cast<unsigned char>(c) >> 4];
        out += kDigits[static_cast<unsigned char>(c) & 15];
    }
    return out;
}
/// Bytes from hexadecimal text; blanks in it separate what belongs apart.
inline std::vector<std::byte> unhex(std::string_view digits) {
    std::string packed;
    for (const char c : digits)
        if (c != ' ') packed += c;
    return codec::model::unhex(packed);
}
inline std::string hex(const Data& d) {
    return hex(text(d.getAsHex()));
}

using Block = std::vector<std::byte>;

/// What `write` writes, at most 256 KiB.
template <class Write>
Block written(Write write) {
    Block block(256 * 1024);
    emissary::eta::BeWriter out{{block.data(), block.size()}};
    write(out);
    REQUIRE(out.ok());
    block.resize(out.size());
    return block;
}

/// The exception that a call ended with, or an empty class name.
struct Thrown {
    std::string cls, text;
    Int32 code = 0;
};
inline std::ostream& operator<<(std::ostream& os, const Thrown& t) {
    return os << (t.cls.empty() ? "nothing" : t.cls) << "/" << t.code << ": " << t.text;
}
template <class Call>
Thrown thrownBy(Call&& call) {
    try {
        call();
    } catch (const OmmInvalidUsageException& e) {
        return {text(e.getExceptionTypeAsString()), text(e.getText()), e.getErrorCode()};
    } catch (const OmmException& e) { return {text(e.getExceptionTypeAsString()), text(e.getText()), 0}; }
    return {};
}

/// An OmmInvalidUsageException with this code leaves the expression.
#define CHECK_USAGE(errorCode, ...)                                                                                    \
    do {                                                                                                               \
        const ::ematest::Thrown thrown = ::ematest::thrownBy([&] { static_cast<void>(__VA_ARGS__); });                 \
        INFO(#__VA_ARGS__ << " threw " << thrown);                                                                     \
        CHECK(thrown.cls == "OmmInvalidUsageException");                                                               \
        CHECK(thrown.code == ::refinitiv::ema::access::OmmInvalidUsageException::errorCode);                           \
        CHECK_FALSE(thrown.text.empty());                                                                              \
    } while (false)
#define CHECK_OUT_OF_RANGE(...)                                                                                        \
    do {                                                                                                               \
        const ::ematest::Thrown thrown = ::ematest::thrownBy([&] { static_cast<void>(__VA_ARGS__); });                 \
        INFO(#__VA_ARGS__ << " threw " << thrown);                                                                     \
        CHECK(thrown.cls == "OmmOutOfRangeException");                                                                 \
    } while (false)

/// The fields that ship with the product.
inline const Dictionary& shippedFields() {
    static const Dictionary kDictionary = [] {
        Dictionary d;
        const auto fields = d.loadFields(emissary::test::sourcePath("/etc/RDMFieldDictionary"));
        const auto enums = d.loadEnums(emissary::test::sourcePath("/etc/enumtype.def"));
        if (fields || enums) throw std::runtime_error(fields.text + enums.text);
        return d;
    }();
    return kDictionary;
}

/// Encoded form of a message as it would be sent.
inline std::vector<std::byte> encode(const Msg& msg) {
    const codec::Msg& wire = emissary::ema::MsgAccess::wire(msg);
    std::vector<std::byte> block(codec::maxEncodedSize(wire) + 16);
    emissary::eta::BeWriter out{{block.data(), block.size()}};
    const emissary::eta::Error e = codec::encodeMsg(out, wire);
    if (!e.ok()) throw std::runtime_error(emissary::eta::describe(e.code));
    block.resize(out.size());
    return block;
}

/// A message of class M as a callback would see it. Owns the bytes that it looks at.
template <class M>
class ReceivedMsg {
public:
    explicit ReceivedMsg(std::vector<std::byte> bytes, const Dictionary* dictionary = &shippedFields(),
                         const char* serviceName = nullptr)
        : bytes_(std::move(bytes)) {
        context_.dictionary = dictionary;
        if (serviceName != nullptr) {
            context_.serviceName = serviceName;
            context_.hasServiceName = true;
        }
        const emissary::eta::Error e = codec::decodeMsg(bytes_, wire_);
        if (!e.ok()) throw std::runtime_error(emissary::eta::describe(e.code));
        emissary::ema::MsgAccess::point(msg_, wire_, context_);
    }
    explicit ReceivedMsg(const Msg& sent, const Dictionary* dictionary = &shippedFields(),
                         const char* serviceName = nullptr)
        : ReceivedMsg(encode(sent), dictionary, serviceName) {}
    ReceivedMsg(const ReceivedMsg&) = delete;

    [[nodiscard]] const M& operator*() const { return msg_; }
    [[nodiscard]] const M* operator->() const { return &msg_; }
    [[nodiscard]] std::vector<std::byte>& bytes() { return bytes_; }

private:
    std::vector<std::byte> bytes_;
    emissary::ema::DecodeContext context_;
    codec::Msg wire_;
    M msg_;
};

}  // namespace ematest
