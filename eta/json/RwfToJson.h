// One RWF message as one JSON object, in one pass over the bytes (json.md 2 - 7).
#pragma once

#include "eta/codec/Msg.h"
#include "eta/codec/containers.h"
#include "eta/json/Converter.h"
#include "json/TextWriter.h"
#include "json/Tree.h"
#include "json/member_names.h"

#include <string>
#include <vector>

namespace emissary::eta::json {

/// Buffers for the rare texts that cannot be written straight through; kept by the converter.
struct TextScratch {
    std::string text;
    std::vector<std::byte> store;
    Tree tree;
};

class RwfToJson {
public:
    RwfToJson(const Options& options, const dictionary::Dictionary* dictionary, const ServiceNames* services,
              TextScratch& scratch, BeWriter& out) noexcept
        : options_(options), dictionary_(dictionary), services_(services), scratch_(scratch), w_(out) {}

    /// Writes the object; on failure what was written so far stands behind the caller's place.
    [[nodiscard]] Error message(Bytes in) noexcept {
        return messageObject(in, 0) && error_.ok() ? Error{w_.out().failure(), 0} : error_;
    }

private:
    using DataType = codec::DataType;

    // Every function below is false after a failure, which is kept in error_.
    bool fail(Errc code) noexcept;
    bool fail(Error e) noexcept;
    [[nodiscard]] bool deeper(int depth) noexcept;

    // --- messages (RwfToJson.cpp)
    [[nodiscard]] bool messageObject(Bytes in, int depth) noexcept;
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
    [[nodiscard]] bool bodyArray(const codec::Msg& m, std::string_view name) noexcept;
    void flag(std::string_view member, bool value) noexcept;
    template <class T>
    void number(std::string_view member, T value) noexcept;
    template <std::size_t N>
    void word(std::string_view member, const WordTable<N>& table, std::uint8_t value) noexcept;
    template <std::size_t N>
    void wordValue(const WordTable<N>& table, std::uint8_t value) noexcept;
    void data(std::string_view member, Bytes value) noexcept;

    // --- payloads (payload_to_json.cpp)
    /// `,"Fields":{...}`; nothing for NoData and for empty content that has no form of its own.
    [[nodiscard]] bool payload(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth,
                               bool first = false) noexcept;
    [[nodiscard]] bool container(DataType type, Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept;
    [[nodiscard]] bool fields(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept;
    [[nodiscard]] bool elements(Bytes in, const codec::SetDefinitionDb* sets, int depth) noexcept;
    [[nodiscard]] bool map(Bytes in, int depth) noexcept;
    [[nodiscard]] bool vector(Bytes in, int depth) noexcept;
    [[nodiscard]] bool series(Bytes in, int depth) noexcept;
    [[nodiscard]] bool filterList(Bytes in, int depth) noexcept;
    [[nodiscard]] bool head(const codec::EntryContainerDecoder& c, bool& comma, int depth) noexcept;
    template <class Entry, class Decoder, class WriteInner>
    [[nodiscard]] bool entries(Decoder& decoder, bool comma, WriteInner writeInner) noexcept;
    [[nodiscard]] bool json(Bytes in) noexcept;

    // --- values
    [[nodiscard]] bool value(DataType type, Bytes in, DataType setType, const dictionary::EnumTable* enums,
                             int depth) noexcept;
    [[nodiscard]] bool array(Bytes in, int depth) noexcept;
    void enumerated(std::uint16_t value, const dictionary::EnumTable* enums) noexcept;
    void rmtes(Bytes in) noexcept;
    void qos(const codec::Qos& v) noexcept;
    void state(const codec::State& v) noexcept;

    const Options& options_;
    const dictionary::Dictionary* dictionary_;
    const ServiceNames* services_;
    TextScratch& scratch_;
    TextWriter w_;
    Error error_;
};

}  // namespace emissary::eta::json
