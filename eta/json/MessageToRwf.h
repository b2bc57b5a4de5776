// Message objects of JSON as RWF messages: header members, key and state (json.md 2 - 5).
#pragma once

#include "eta/codec/Msg.h"
#include "json/EncodeScratch.h"
#include "json/MemberReader.h"
#include "json/PayloadToRwf.h"
#include "json/RequestBodies.h"
#include "json/ValuesToRwf.h"

#include <array>

namespace emissary::eta::json {

class MessageToRwf {
public:
    MessageToRwf(MemberReader& in, const Options& options, const ServiceNames* services, Tree& tree,
                 EncodeScratch& scratch, ValuesToRwf& values, PayloadToRwf& payloads, RequestBodies& bodies) noexcept
        : in_(in), options_(options), services_(services), tree_(tree), scratch_(scratch), values_(values),
          payloads_(payloads), bodies_(bodies) {}

    [[nodiscard]] bool messageType(const Members& m, std::uint8_t& out) noexcept;
    [[nodiscard]] bool rwfMessage(const Members& m, std::uint8_t type, BeWriter& out, int depth);

    /// A key without its attributes.
    [[nodiscard]] bool keyHead(NodeIndex at, codec::Msg& msg) noexcept;

private:
    [[nodiscard]] bool header(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool request(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool refresh(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool status(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool update(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool ack(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool generic(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool post(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool streamId(const Members& m, codec::Msg& msg) noexcept;
    [[nodiscard]] bool key(NodeIndex at, codec::Msg& msg, NodeIndex& names, BeWriter& attributes, int depth);
    [[nodiscard]] bool keyMembers(const Members& k, codec::Msg& msg, NodeIndex& names) noexcept;
    /// The name of a service that has no id goes along with the message; false: it cannot.
    [[nodiscard]] bool carry(std::string_view service, codec::Msg& msg) noexcept;
    [[nodiscard]] bool postUserInfo(NodeIndex at, codec::Msg& msg) noexcept;

    MemberReader& in_;
    const Options& options_;
    const ServiceNames* services_;
    Tree& tree_;
    EncodeScratch& scratch_;
    ValuesToRwf& values_;
    PayloadToRwf& payloads_;
    RequestBodies& bodies_;
    std::array<char, 255> carried_{};  // the extended header of the message that is made
};

}  // namespace emissary::eta::json
