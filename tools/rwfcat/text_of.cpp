// tools/rwfcat: points a public message at decoded bytes, and prints it.
#include "text_of.h"

#include "data/MsgAccess.h"

#include "Ema.h"

#include <filesystem>
#include <stdexcept>

namespace emissary::rwfcat {

namespace {

using namespace refinitiv::ema::access;

template <class M>
std::string print(const eta::codec::Msg& wire, const ema::DecodeContext& context) {
    M message;
    ema::MsgAccess::point(message, wire, context);
    // A public message is pointed at decoded bytes: nothing is copied.
    return message.toString().c_str();
}

}  // namespace

TextOf::TextOf(const std::string& folder) {
    if (folder.empty()) return;
    const auto load = [&folder](const char* file, auto&& how) {
        const std::string path = (std::filesystem::path(folder) / file).string();
        if (const auto fault = how(path)) throw std::runtime_error(fault.text);
    };
    load("RDMFieldDictionary", [this](const std::string& path) { return dictionary_.loadFields(path); });
    load("enumtype.def", [this](const std::string& path) { return dictionary_.loadEnums(path); });
}

std::string TextOf::operator()(eta::Bytes bytes) const {
    eta::codec::Msg wire;
    // A message that cannot be decoded has no text; its fault goes to the notes.
    if (!decodeMsg(bytes, wire).ok()) return {};
    ema::DecodeContext context;
    if (dictionary_.hasFields()) context.dictionary = &dictionary_;
    using eta::codec::MsgClass;
    switch (wire.cls) {
    case MsgClass::Request:
        return print<ReqMsg>(wire, context);
    case MsgClass::Refresh:
        return print<RefreshMsg>(wire, context);
    case MsgClass::Status:
        return print<StatusMsg>(wire, context);
    case MsgClass::Update:
        return print<UpdateMsg>(wire, context);
    case MsgClass::Ack:
        return print<AckMsg>(wire, context);
    case MsgClass::Generic:
        return print<GenericMsg>(wire, context);
    case MsgClass::Post:
        return print<PostMsg>(wire, context);
    case MsgClass::Close:
        break;  // has no public class
    }
    return "CloseMsg\n    streamId=\"" + std::to_string(wire.streamId) + "\"\n    domain=\"" +
           std::to_string(wire.domain) + "\"\nCloseMsgEnd\n";
}

}  // namespace emissary::rwfcat
