// The applications of the tests: clients that record what they are told.
#pragma once

#include "Ema.h"
#include "support/Records.h"
#include "support/catch.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

namespace emissary::test {

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// Notes every callback as a line: "IBM.N refresh Open/Ok/0", "IBM.N update".
class RecordingConsumerClient : public OmmConsumerClient {
public:
    enum class Label : std::uint8_t {
        item,     ///< the item's name, or "-"
        closure,  ///< the closure, a C string, or "?"; lines have details: "A refresh Open/Ok/0 unsolicited", "A ack 3
                  ///< nak 6"
    };
    explicit RecordingConsumerClient(Label label = Label::item) : label_(label) {}

    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent& e) override {
        note(m, e, "refresh " + text(m.getState()) + (detailed() && !m.getSolicited() ? " unsolicited" : ""));
    }
    void onUpdateMsg(const UpdateMsg& m, const OmmConsumerEvent& e) override { note(m, e, "update"); }
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent& e) override {
        note(m, e, m.hasState() ? "status " + text(m.getState()) : "status");
    }
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent& e) override { note(m, e, "generic"); }
    void onAckMsg(const AckMsg& m, const OmmConsumerEvent& e) override {
        if (!detailed()) return note(m, e, "ack");
        note(m, e,
             "ack " + std::to_string(m.getAckId()) +
                 (m.hasNackCode() ? " nak " + std::to_string(m.getNackCode()) : std::string()));
    }
    void onAllMsg(const Msg&, const OmmConsumerEvent&) override { ++all; }

    /// True when the line has come `times` times, within ten seconds.
    bool wait(const std::string& line, std::size_t times = 1) {
        const bool came = lines_.wait([&](const auto& lines) {
            return static_cast<std::size_t>(std::count(lines.begin(), lines.end(), line)) >= times;
        });
        if (!came)
            for (const auto& l : lines())
                UNSCOPED_INFO(l);
        return came;
    }
    std::size_t count(const std::string& line) { return lines_.count(line); }
    std::vector<std::string> lines() { return lines_.all(); }
    std::vector<std::string> take() { return lines_.take(); }

    std::atomic<int> all{0};
    std::function<void(const Msg&, const OmmConsumerEvent&)> hook;  ///< inside every callback; set before registering

private:
    [[nodiscard]] bool detailed() const { return label_ == Label::closure; }
    static std::string text(const OmmState& s) {
        return std::string(s.getStreamStateAsString().c_str()) + "/" + s.getDataStateAsString().c_str() + "/" +
               std::to_string(s.getStatusCode());
    }
    void note(const Msg& m, const OmmConsumerEvent& e, const std::string& what) {
        if (hook) hook(m, e);
        const auto* closure = static_cast<const char*>(e.getClosure());
        const std::string label = detailed()    ? closure != nullptr ? closure : "?"
                                  : m.hasName() ? m.getName().c_str()
                                                : "-";
        lines_.add(label + " " + what);
    }

    const Label label_;
    Records<std::string> lines_;
};

/// Keeps a record of every callback of a provider, of either kind, and answers nothing.
class RecordingProviderClient : public OmmProviderClient {
public:
    struct Record {
        std::string what;  ///< request, reissue, close, post, generic, refresh, status
        UInt64 handle = 0, client = 0;
        UInt16 domain = 0;
        void* closure = nullptr;
        std::string name, service, state;
        bool complete = false;
    };
    std::atomic<int> all{0}, channelActive{0};

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override { record("request", m, e); }
    void onReissue(const ReqMsg& m, const OmmProviderEvent& e) override { record("reissue", m, e); }
    void onClose(const ReqMsg& m, const OmmProviderEvent& e) override { record("close", m, e); }
    void onPostMsg(const PostMsg& m, const OmmProviderEvent& e) override { record("post", m, e); }
    void onGenericMsg(const GenericMsg& m, const OmmProviderEvent& e) override { record("generic", m, e); }
    void onRefreshMsg(const RefreshMsg& m, const OmmProviderEvent& e) override {
        record("refresh", m, e, m.getState().toString().c_str(), m.getComplete());
    }
    void onStatusMsg(const StatusMsg& m, const OmmProviderEvent& e) override {
        record("status", m, e, m.hasState() ? m.getState().toString().c_str() : "");
    }
    void onAllMsg(const Msg&, const OmmProviderEvent&) override { ++all; }

    /// Waits for the n-th record (from 1) and returns it.
    Record at(std::size_t n) {
        REQUIRE(records_.wait([&](const auto& records) { return records.size() >= n; }));
        return records_.all()[n - 1];
    }
    std::size_t size() { return records_.size(); }
    [[nodiscard]] bool has(const std::string& what) {
        const auto records = records_.all();
        return std::any_of(records.begin(), records.end(), [&](const Record& r) { return r.what == what; });
    }
    /// Waits for a record that fits; for any thread.
    template <class Fits>
    bool comes(Fits fits, Record& found) {
        return records_.wait([&](const auto& records) {
            const auto it = std::find_if(records.begin(), records.end(), fits);
            if (it != records.end()) found = *it;
            return it != records.end();
        });
    }
    /// The same, and the test ends without it; for the test's own thread, as all assertions.
    template <class Fits>
    Record awaitWhere(Fits fits) {
        Record found;
        const bool there = comes(fits, found);
        for (const Record& r : records_.all())
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
        Record r;
        r.what = what;
        r.handle = e.getHandle();
        r.client = e.getClientHandle();
        r.domain = m.getDomainType();
        r.closure = e.getClosure();
        r.state = state;
        r.complete = complete;
        if (m.hasName()) r.name = m.getName().c_str();
        if constexpr (requires { m.hasServiceName(); }) {
            if (m.hasServiceName()) r.service = m.getServiceName().c_str();
        }
        records_.add(std::move(r));
    }

    Records<Record> records_;
};

/// The image of an item: a bid of 33.91.
inline void answerItem(const refinitiv::ema::access::ReqMsg& m, const refinitiv::ema::access::OmmProviderEvent& e) {
    using namespace refinitiv::ema::access;
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

inline void acceptLogin(const ReqMsg& m, const OmmProviderEvent& e) {
    e.getProvider().submit(RefreshMsg()
                               .domainType(MMT_LOGIN)
                               .name(m.getName())
                               .nameType(USER_NAME)
                               .complete()
                               .solicited(true)
                               .state(OmmState::OpenEnum, OmmState::OkEnum),
                           e.getHandle());
}

/// Accepts logins, and answers items with a refresh while `answer` is on.
class RecordingClient : public RecordingProviderClient {
public:
    std::atomic<bool> answer{true}, throwOnItem{false};

    void onReqMsg(const ReqMsg& m, const OmmProviderEvent& e) override {
        if (m.getDomainType() == MMT_LOGIN) {
            acceptLogin(m, e);
        } else if (throwOnItem) {
            RecordingProviderClient::onReqMsg(m, e);
            throw std::runtime_error("the application is unwell");
        } else if (answer) {
            answerItem(m, e);
        }
        RecordingProviderClient::onReqMsg(m, e);
    }
};

/// What an error client is told. Read it when nobody can call any more, or through dispatchErrors.
template <class ErrorClient>
class RecordedErrors : public ErrorClient {
public:
    void onInvalidHandle(UInt64 handle, const EmaString& text) override {
        handles.push_back(handle);
        texts.emplace_back(text.c_str());
    }
    void onInvalidUsage(const EmaString& text) override {
        usage.emplace_back(text.c_str());
        texts.emplace_back(text.c_str());
    }
    void onInvalidUsage(const EmaString& text, Int32 code) override {
        usage.emplace_back(std::to_string(code) + ":" + text.c_str());
        codes.push_back(code);
    }
    void onDispatchError(const EmaString& text, Int32 code) override {
        dispatchErrors.add(std::to_string(code) + " " + text.c_str());
    }
    std::vector<std::string> usage;  ///< "text" and "-4048:text": the two calls of one error
    std::vector<Int32> codes;
    std::vector<UInt64> handles;
    std::vector<std::string> texts;  ///< of handles, and of usage without the code
    Records<std::string> dispatchErrors;
};
using RecordingErrorClient = RecordedErrors<OmmConsumerErrorClient>;
using RecordingErrors = RecordedErrors<OmmProviderErrorClient>;

}  // namespace emissary::test
