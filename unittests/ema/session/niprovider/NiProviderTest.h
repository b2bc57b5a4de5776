// A real OmmProvider that publishes to the recording acceptor, and a configuration file made for the test.
#pragma once

#include "Ema.h"
#include "ema/api/usage_code.h"
#include "support/EmaConfigFile.h"
#include "support/NiAcceptor.h"
#include "support/catch.hpp"

#include <algorithm>
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

/// A publisher of one service.
class NiConfigFile : public EmaConfigFile {
public:
    explicit NiConfigFile(const std::string& providerParameters = {}, const std::string& channelParameters = {},
                          const std::string& channelType = "RSSL_SOCKET", const std::string& dictionaryFolder = ".")
        : EmaConfigFile(
              config::niProvider(R"(<ReconnectMinDelay value="100"/><ReconnectMaxDelay value="200"/>)" +
                                 providerParameters) +
              config::channel(channelType, channelParameters) + config::logger() +
              config::dictionary(dictionaryFolder + "/RDMFieldDictionary", dictionaryFolder + "/enumtype.def") +
              config::directory("TEST_NI_PUB", 3, {"MMT_MARKET_PRICE"}, false)) {}
};

[[nodiscard]] inline EmaString hostOf(const NiAcceptor& acceptor) {
    return EmaString(("127.0.0.1:" + std::to_string(acceptor.port())).c_str());
}

/// Keeps a line for every callback: "RFSH d1 closure handle!=0 Open / Ok ...".
class RecordingNiClient : public OmmProviderClient {
public:
    struct Record {
        std::string what;  ///< refresh, status, generic, post, close
        UInt64 handle = 0;
        UInt16 domain = 0;
        void* closure = nullptr;
        std::string name, state;
        bool complete = false;
    };
    std::atomic<int> all{0}, channelActive{0};

    void onRefreshMsg(const RefreshMsg& m, const OmmProviderEvent& e) override {
        record("refresh", m, e, m.getState().toString().c_str(), m.getComplete());
    }
    void onStatusMsg(const StatusMsg& m, const OmmProviderEvent& e) override {
        record("status", m, e, m.hasState() ? m.getState().toString().c_str() : "");
    }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override { record("generic", m, e); }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override { record("post", m, e); }
    void onClose(const ReqMsg& m, const OmmProviderEvent& e) override { record("close", m, e); }
    void onAllMsg(const Msg&, const OmmProviderEvent&) override { ++all; }

    [[nodiscard]] bool has(const std::string& what) {
        const std::lock_guard lock(mutex_);
        return std::any_of(records_.begin(), records_.end(), [&](const Record& r) { return r.what == what; });
    }
    /// Waits for a record that fits; for any thread.
    template <class Fits>
    bool comes(Fits fits, Record& found) {
        std::unique_lock lock(mutex_);
        return came_.wait_for(lock, std::chrono::seconds(10), [&] {
            for (const Record& r : records_) {
                if (!fits(r)) continue;
                found = r;
                return true;
            }
            return false;
        });
    }
    /// The same, and the test ends without it; for the test's own thread, as all assertions.
    template <class Fits>
    Record awaitWhere(Fits fits) {
        Record found;
        const bool there = comes(fits, found);
        const std::lock_guard lock(mutex_);
        for (const Record& r : records_)
            UNSCOPED_INFO(r.what << " d" << r.domain << " handle " << r.handle << " " << r.name << " " << r.state);
        REQUIRE(there);
        return found;
    }
    Record await(const std::string& what, const std::string& state = {}) {
        return awaitWhere([&](const Record& r) { return r.what == what && r.state.find(state) != std::string::npos; });
    }

private:
    template <class M>
    void record(const char* what, const M& m, const OmmProviderEvent& e, const char* state = "",
                bool complete = false) {
        if (e.getChannelInformation().getChannelState() == ChannelInformation::ActiveEnum) ++channelActive;
        Record r{what, e.getHandle(), m.getDomainType(), e.getClosure(), {}, state, complete};
        if (m.hasName()) r.name = m.getName().c_str();
        const std::lock_guard lock(mutex_);
        records_.push_back(r);
        came_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable came_;
    std::vector<Record> records_;
};

/// Handle of the OmmInvalidHandleException that the call throws.
template <class Call>
UInt64 refusedHandle(Call call) {
    try {
        call();
    } catch (const OmmInvalidHandleException& e) { return e.getHandle(); }
    return 0;
}

inline FieldList& price(FieldList& fields, Int64 value) {
    fields.clear();
    fields.addReal(22, value, OmmReal::ExponentNeg2Enum).addUInt(30, 100).complete();
    return fields;
}

}  // namespace emissary::test
