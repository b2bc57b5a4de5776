// RWF messages as JSON objects: header members, key and the bodies that stand for members (json.md 2 - 5).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/json/Converter.h"
#include "json/MemberWriter.h"
#include "json/PayloadToJson.h"
#include "json/ValuesToJson.h"

namespace emissary::eta::json {

class MessageToJson {
public:
    using DataType = codec::DataType;

    MessageToJson(MemberWriter w, const ServiceNames* services, ValuesToJson& values, PayloadToJson& payloads) noexcept
        : w_(w), services_(services), values_(values), payloads_(payloads) {}

    [[nodiscard]] bool messageObject(Bytes in, int depth) noexcept;
    /// The same for a message that is decoded, or that would be the same if it had been encoded.
    [[nodiscard]] bool messageObject(const codec::Msg& m, int depth) noexcept;

private:
    /// What an update without rare members says before its payload. False, and nothing is written: it has one.
    [[nodiscard]] bool quickHead(const codec::Msg& m) noexcept;
    [[nodiscard]] bool head(const codec::Msg& m, int depth, bool batchClose) noexcept;
    [[nodiscard]] bool request(const codec::Msg& m) noexcept;
    void refresh(const codec::Msg& m) noexcept;
    void status(const codec::Msg& m) noexcept;
    void update(const codec::Msg& m) noexcept;
    void ack(const codec::Msg& m) noexcept;
    void generic(const codec::Msg& m) noexcept;
    void post(const codec::Msg& m) noexcept;
    [[nodiscard]] bool key(const codec::Msg& m, int depth) noexcept;
    void commonTail(const codec::Msg& m) noexcept;
    [[nodiscard]] bool view(const codec::Msg& m) noexcept;
    /// The plain array element `name` of a request's or close's body, item by item.
    [[nodiscard]] bool otherElements(const codec::Msg& m, int depth) noexcept;
    [[nodiscard]] bool bodyArray(const codec::Msg& m, std::string_view name) noexcept;

    MemberWriter w_;
    const ServiceNames* services_;
    ValuesToJson& values_;
    PayloadToJson& payloads_;
};

}  // namespace emissary::eta::json
