// Any bytes as a JSON text, and as an RWF message to write as JSON. What converts one way converts back.
#include "eta/core/GrowingBuffer.h"
#include "eta/json/Converter.h"
#include "eta/trace/SecretMask.h"

#include <cstdlib>

using namespace emissary::eta;

namespace {

const dictionary::Dictionary& fields() {
    static const dictionary::Dictionary loaded = [] {
        dictionary::Dictionary d;
        const auto error = d.parseFields("!tag Type 1\n!tag Version 1.0\n!tag DictionaryId 1\n"
                                         "BID \"BID\" 22 NULL PRICE 17 REAL64 9\n"
                                         "PROD_PERM \"PERMISSION\" 1 NULL INTEGER 5 UINT64 2\n"
                                         "SENTIMENT \"SENTIMENT\" 5170 NULL INTEGER 5 INT64 2\n"
                                         "TRADE_DATE \"DATE\" 16 NULL DATE 11 DATE 4\n"
                                         "TRDTIM_1 \"TIME\" 18 NULL TIME 5 TIME 5\n"
                                         "CURRENCY \"CURRENCY\" 15 NULL ENUMERATED 5 ( 3 ) ENUM 2\n"
                                         "DSPLY_NAME \"NAME\" 3 NULL ALPHANUMERIC 16 RMTES_STRING 16\n"
                                         "PREF_LINK \"LINK\" 1081 NULL ALPHANUMERIC 16 ASCII_STRING 16\n"
                                         "REG_FIELD1 \"REG\" 457 NULL NONE 16 BUFFER 16\n"
                                         "STORY_PE \"ARRAY\" 30015 NULL NONE 16 ARRAY 16\n"
                                         "PRE_MAP001 \"MAP\" 32469 NULL NONE 16 MAP 16\n",
                                         "fuzz");
        if (error) std::abort();
        return d;
    }();
    return loaded;
}

/// What was written as JSON must be JSON, though RWF may hold values that its rules refuse.
void writeAndRead(json::Converter& writer, json::Converter& reader, Bytes message) {
    GrowingBuffer text, again;
    const Error written = writer.toJson(message, text.start());
    if (!written.ok()) {
        if (!text.view().empty()) std::abort();
        return;
    }
    // Only a JSON payload can nest deeper than texts may.
    if (!reader.start(asText(text.view()))) {
        if (text.view().size() < 1'000'000 && asText(text.view()).find("Json") == std::string_view::npos) std::abort();
        return;
    }
    static_cast<void>(reader.next(again.start()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static json::Converter first, second;
    first.setDictionary(&fields());
    second.setDictionary(&fields());
    const Bytes in = std::as_bytes(std::span{data, size});
    writeAndRead(first, second, in);
    trace::SecretMask mask;  // for traces; it keeps lengths, whatever it hides
    if (mask.json(in).size() != in.size() || mask.rwf(in).size() != in.size()) std::abort();
    GrowingBuffer out(16), reply;
    if (!first.start(asText(in))) {
        first.writeError(reply.start());
        if (!second.start(asText(reply.view()))) std::abort();
        return 0;
    }
    for (;;) {
        const json::Inbound found = first.next(out.start());
        if (found == json::Inbound::end) return 0;
        if (found == json::Inbound::failure) {
            if (!out.view().empty()) std::abort();
            first.writeError(reply.start());
            if (!second.start(asText(reply.view())) || second.next(out.start()) != json::Inbound::error) std::abort();
            codec::Msg status;
            const codec::State suspect{codec::StreamState::open, codec::DataState::suspect, 0, {}};
            if (first.refusedStatus(suspect, out.start()) && !codec::decodeMsg(out.view(), status).ok()) std::abort();
            continue;  // the next message stands for itself
        }
        if (found == json::Inbound::message) writeAndRead(second, second, out.view());
    }
}
