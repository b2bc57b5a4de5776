// One record of everything that several handles of a consumer hear, in order. The closure is the handle's label.
#pragma once

#include "SessionTest.h"

namespace emissary::test {

/// Lines like "A refresh Open/Ok/0", "A update", "A ack 3 nak 6".
struct Journal final : RecordingConsumerClient {
    Journal() : RecordingConsumerClient(Label::closure) {}
};

/// A provider thread, a consumer on it, and the journal of its handles.
struct Sequence {
    ProviderThread provider;
    ConsumerConfigFile file;
    Journal journal;
    OmmConsumer consumer;

    explicit Sequence(const std::string& parameters = {}, const std::function<void(RawProvider&)>& prepare = {})
        : provider(prepare), file(provider.port(), parameters),
          consumer(OmmConsumerConfig(file.path()).username("user")) {
        (void)wire();  // the start-up is another sequence's business
    }
    /// What the provider got since the last call.
    std::vector<std::string> wire() {
        return provider.run([](RawProvider& p) { return std::exchange(p.wire, {}); });
    }
    UInt64 open(const char* label, const ReqMsg& request) {
        return consumer.registerClient(request, journal, const_cast<char*>(label));
    }
    UInt64 open(const char* name) { return open(name, item(name)); }
    UInt64 login(const char* label) { return open(label, ReqMsg().domainType(MMT_LOGIN)); }
    UInt64 directory(const char* label) { return open(label, ReqMsg().domainType(MMT_DIRECTORY)); }
    void send(const codec::Msg& m) {
        provider.run([&](RawProvider& p) { p.send(m); });
    }
    /// Opens an item and answers its request; the stream id on the wire.
    std::int32_t openAnswered(const char* label, const ReqMsg& request, const char* name, UInt64* handle = nullptr) {
        const UInt64 h = open(label, request);
        if (handle != nullptr) *handle = h;
        const std::int32_t id = provider.requested(name);
        send(RawProvider::refresh(id));
        REQUIRE(journal.wait(std::string(label) + " refresh Open/Ok/0"));
        return id;
    }
    std::int32_t openAnswered(const char* name, UInt64* handle = nullptr) {
        return openAnswered(name, item(name), name, handle);
    }
    /// Everything sent before has arrived on the other side: an item of its own was asked for after it.
    void settle() {
        const std::string marker = "MARK" + std::to_string(++marks_);
        consumer.registerClient(item(marker.c_str()), journal, const_cast<char*>("mark"));
        provider.requested(marker);
        provider.run(
            [](RawProvider& p) { std::erase_if(p.wire, [](const auto& w) { return w.find("MARK") != w.npos; }); });
    }

private:
    int marks_ = 0;
};

}  // namespace emissary::test
