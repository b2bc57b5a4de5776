// Requests for tunnels, and what their client is told.
#pragma once

#include "SessionTest.h"
#include "TunnelProvider.h"

namespace emissary::test {

inline ClassOfService reliable(bool login = false) {
    ClassOfService cos;
    cos.dataIntegrity(CosDataIntegrity().type(CosDataIntegrity::ReliableEnum))
        .flowControl(CosFlowControl().type(CosFlowControl::BidirectionalEnum));
    if (login) cos.authentication(CosAuthentication().type(CosAuthentication::OmmLoginEnum));
    return cos;
}
inline TunnelStreamRequest request(bool login = false) {
    TunnelStreamRequest r;
    r.name("TUNNEL").serviceName("DIRECT_FEED").classOfService(reliable(login));
    return r;
}

/// Notes every callback: "A all", "A status Open/Ok welcome".
struct Notes : OmmConsumerClient {
    Records<std::string> lines;
    std::atomic<UInt64> parent{99};
    std::function<void(const OmmConsumerEvent&)> hook;
    static std::string label(const OmmConsumerEvent& e) {
        return e.getClosure() != nullptr ? static_cast<const char*>(e.getClosure()) : "?";
    }
    void onAllMsg(const Msg&, const OmmConsumerEvent& e) override { lines.add(label(e) + " all"); }
    void onStatusMsg(const StatusMsg& m, const OmmConsumerEvent& e) override {
        parent = e.getParentHandle();
        const OmmState& s = m.getState();
        lines.add(label(e) + " status " + s.getStreamStateAsString().c_str() + "/" + s.getDataStateAsString().c_str() +
                  " " + s.getStatusText().c_str() +
                  (m.hasServiceName() ? std::string(" ") + m.getServiceName().c_str() : ""));
        if (hook) hook(e);
    }
    void onRefreshMsg(const RefreshMsg& m, const OmmConsumerEvent& e) override {
        parent = e.getParentHandle();
        lines.add(label(e) + " refresh " + std::to_string(m.getStreamId()));
    }
    void onGenericMsg(const GenericMsg& m, const OmmConsumerEvent& e) override {
        lines.add(label(e) + " generic d" + std::to_string(m.getDomainType()));
    }
    void onAckMsg(const AckMsg& m, const OmmConsumerEvent& e) override {
        lines.add(label(e) + " ack " + std::to_string(m.getAckId()));
    }
    bool wait(const std::string& line) {
        const bool came =
            lines.wait([&](const auto& all) { return std::find(all.begin(), all.end(), line) != all.end(); });
        if (!came)
            for (const auto& l : lines.all())
                UNSCOPED_INFO(l);
        return came;
    }
};

inline char tunnelName[] = "T", subName[] = "A", secondName[] = "B";
inline constexpr const char* kOpen = "T status Open/Ok Successful open of TunnelStream: TUNNEL DIRECT_FEED";

/// What goes through a tunnel goes through its streams.
inline void checkTakesNoMessages(OmmConsumer& consumer, OmmConsumerClient& client, UInt64 tunnel, UInt64 sub) {
    CHECK_THAT(thrown([&] { consumer.submit(GenericMsg(), tunnel); }),
               Catch::Contains("Invalid attempt to submit GenericMsg on tunnel stream."));
    CHECK_THAT(thrown([&] { consumer.submit(PostMsg(), tunnel); }),
               Catch::Contains("Invalid attempt to submit PostMsg on tunnel stream."));
    CHECK_THAT(thrown([&] { consumer.reissue(ReqMsg(), tunnel); }),
               Catch::Contains("Invalid attempt to reissue tunnel stream using ReqMsg."));
    CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg(), client, nullptr, sub); }),
               Catch::StartsWith("OmmInvalidHandleException"));
    CHECK_THAT(thrown([&] { consumer.registerClient(ReqMsg(), client, nullptr, 4711); }),
               Catch::StartsWith("OmmInvalidHandleException"));
}

}  // namespace emissary::test
