// A real OmmProvider on an ephemeral port, an application that records, and a configuration file made for the test.
#pragma once

#include "Ema.h"
#include "ema/api/usage_code.h"
#include "session/ProviderAccess.h"
#include "support/EmaConfigFile.h"
#include "support/RawConsumer.h"

#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <vector>

#include <unistd.h>

namespace emissary::test {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// A provider with one service that has everything.
class ConfigFile : public EmaConfigFile {
public:
    explicit ConfigFile(const std::string& providerParameters = {},
                        const std::string& fieldFile = sourcePath("/etc/RDMFieldDictionary"),
                        const std::string& serverParameters = {}, const std::string& loggerParameters = config::kSilent)
        : EmaConfigFile(config::provider(providerParameters) +
                        config::server(serverParameters + R"(<GuaranteedOutputBuffers value="5000"/>)") +
                        config::logger(loggerParameters) + config::dictionary(fieldFile) +
                        config::directory("DIRECT_FEED", 1, {"MMT_DICTIONARY", "MMT_MARKET_PRICE"}, true)) {}
};

/// Accepts logins, answers items with a refresh while `answer` is on. Read the records through locked().
class RecordingClient : public OmmProviderClient {
public:
    struct Record {
        char what = '?';  ///< q request, r reissue, c close, p post, g generic
        UInt64 handle = 0, client = 0;
        UInt16 domain = 0;
        std::string name, service;
        void* closure = nullptr;
    };
    std::atomic<bool> answer{true}, throwOnItem{false};

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        if (m.getDomainType() == MMT_LOGIN) {
            e.getProvider().submit(RefreshMsg()
                                       .domainType(MMT_LOGIN)
                                       .name(m.getName())
                                       .nameType(USER_NAME)
                                       .complete()
                                       .solicited(true)
                                       .state(OmmState::OpenEnum, OmmState::OkEnum),
                                   e.getHandle());
        } else if (throwOnItem) {
            record('q', m, e);
            throw std::runtime_error("the application is unwell");
        } else if (answer) {
            FieldList fields;
            fields.addReal(22, 3391, OmmReal::ExponentNeg2Enum).complete();
            e.getProvider().submit(RefreshMsg()
                                       .name(m.getName())
                                       .serviceName(m.getServiceName())
                                       .complete()
                                       .solicited(true)
                                       .state(OmmState::OpenEnum, OmmState::OkEnum)
                                       .payload(fields),
                                   e.getHandle());
        }
        record('q', m, e);
    }
    void onReissue(const ReqMsg& m, const OmmProviderEvent& e) override { record('r', m, e); }
    void onClose(const ReqMsg& m, const OmmProviderEvent& e) override { record('c', m, e); }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override { record('p', m, e); }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override { record('g', m, e); }
    void onAllMsg(const Msg&, const OmmProviderEvent&) override { ++all; }

    /// Waits for the n-th record (from 1) and returns it.
    Record at(std::size_t n) {
        std::unique_lock lock(mutex_);
        const bool there = came_.wait_for(lock, RawConsumer::kPatience, [&] { return records_.size() >= n; });
        REQUIRE(there);
        return records_[n - 1];
    }
    std::size_t size() {
        const std::lock_guard lock(mutex_);
        return records_.size();
    }
    std::atomic<int> all{0};

private:
    template <class M>
    void record(char what, const M& m, const OmmProviderEvent& e) {
        Record r{what, e.getHandle(), e.getClientHandle(), m.getDomainType(), {}, {}, e.getClosure()};
        if (m.hasName()) r.name = m.getName().c_str();
        if constexpr (requires { m.hasServiceName(); }) {
            if (m.hasServiceName()) r.service = m.getServiceName().c_str();
        }
        const std::lock_guard lock(mutex_);
        records_.push_back(r);
        came_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Record> records_;
};

class RecordingErrors : public OmmProviderErrorClient {
public:
    void onInvalidHandle(UInt64 h, const EmaString& t) override {
        handles.push_back(h);
        texts.push_back(t.c_str());
    }
    void onInvalidUsage(const EmaString& t) override { texts.push_back(t.c_str()); }
    void onInvalidUsage(const EmaString&, Int32 code) override { codes.push_back(code); }
    void onDispatchError(const EmaString& t, Int32 code) override {
        const std::lock_guard lock(mutex);
        dispatchErrors.push_back(std::to_string(code) + " " + t.c_str());
    }
    std::vector<std::string> texts;
    std::vector<Int32> codes;
    std::vector<UInt64> handles;
    std::mutex mutex;
    std::vector<std::string> dispatchErrors;
};

inline RawConsumer loggedIn(OmmProvider& provider, RawConsumer::Pump pump = {}) {
    RawConsumer c(ema::ProviderAccess::port(provider), std::move(pump));
    c.send(RawConsumer::loginRequest("user"));
    const Received got = c.next();
    REQUIRE(got.msg.cls == codec::MsgClass::Refresh);
    REQUIRE(got.msg.domain == 1);
    return c;
}

}  // namespace emissary::test
