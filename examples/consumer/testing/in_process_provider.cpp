// A provider inside the test program: what an application's unit tests run against, without a server and without a
// fixed port. The test says what the provider answers, and when; the consumer is the real one, over a real socket.
//
//     in_process_provider     runs its three tests and ends; needs RDMFieldDictionary and enumtype.def beside it
#include "Ema.h"

#include <atomic>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

/// A port that nobody uses at this moment. Another program may take it before it is used: makeProvider() tries again.
std::string freePort() {
    const int fd = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(fd, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
    close(fd);
    return std::to_string(ntohs(address.sin_port));
}

/// Answers with what the test has put there; an item that is not there does not exist.
class FakeProvider : public OmmProviderClient {
public:
    FakeProvider() {
        for (int attempt = 1; !provider_; ++attempt) {
            port_ = freePort();
            try {
                provider_ = std::make_unique<OmmProvider>(OmmIProviderConfig().port(port_.c_str()), *this);
            } catch (const OmmException&) {
                if (attempt == 5) throw;
            }
        }
    }
    ~FakeProvider() override { provider_.reset(); }  // before what its callbacks use

    std::string host() const { return "localhost:" + port_; }
    /// BID of an item, in cents: for images from now on, and as an update for the consumer that has it open.
    void set(const std::string& item, Int64 bid) {
        UpdateMsg update;
        send(item, withBid(update, bid), [&] { bids_[item] = bid; });
    }
    /// Ends the item for the consumer that has it.
    void close(const std::string& item) {
        StatusMsg status;
        status.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "delisted");
        send(item, status, [&] { bids_.erase(item); });
    }

private:
    template <class Message>
    static Message& withBid(Message& msg, Int64 bid) {
        msg.payload(FieldList().addReal(22, bid, OmmReal::ExponentNeg2Enum).complete());
        return msg;
    }
    // Changes what is known, then sends. Not with the lock held: callbacks come with the library's lock and take this
    // one.
    template <class Message, class Change>
    void send(const std::string& item, const Message& msg, Change change) {
        UInt64 handle = 0;
        {
            const std::lock_guard lock(mutex_);
            change();
            const auto open = open_.find(item);
            if (open != open_.end()) handle = open->second;
        }
        if (handle != 0) provider_->submit(msg, handle);
    }

    // Called on the provider's thread.
    void onReqMsg(const ReqMsg& request, const OmmProviderEvent& event) override {
        const std::string name(request.getName().c_str());
        if (request.getDomainType() == MMT_LOGIN) {
            RefreshMsg answer;
            answer.domainType(MMT_LOGIN).name(request.getName()).nameType(USER_NAME).solicited(true).complete(true);
            answer.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "welcome");
            return event.getProvider().submit(answer, event.getHandle());
        }
        const std::lock_guard lock(mutex_);
        const auto known = bids_.find(name);
        if (known == bids_.end()) {
            StatusMsg answer;
            answer.domainType(request.getDomainType()).name(request.getName()).serviceId(request.getServiceId());
            answer.state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "no such item");
            return event.getProvider().submit(answer, event.getHandle());
        }
        RefreshMsg image;
        image.name(request.getName()).serviceId(request.getServiceId()).solicited(true).complete(true);
        image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "here it is");
        event.getProvider().submit(withBid(image, known->second), event.getHandle());
        open_[name] = event.getHandle();
    }
    void onClose(const ReqMsg& request, const OmmProviderEvent&) override {
        const std::lock_guard lock(mutex_);
        open_.erase(request.getName().c_str());
    }

    std::mutex mutex_;
    std::map<std::string, Int64> bids_;   // guarded by mutex_
    std::map<std::string, UInt64> open_;  // handles; guarded by mutex_
    std::string port_;
    std::unique_ptr<OmmProvider> provider_;
};

/// The code under test: remembers the last bid of one item, and whether it is for sale.
struct Watcher : OmmConsumerClient {
    double bid = 0;
    bool closed = false;

    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override { read(msg.getPayload()); }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override { read(msg.getPayload()); }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {
        closed = closed || (msg.hasState() && msg.getState().getStreamState() == OmmState::ClosedEnum);
    }
    void read(const Payload& payload) {
        const FieldList& fields = payload.getFieldList();
        if (fields.forth(22)) bid = fields.getEntry().getReal().getAsDouble();
    }
};

/// Dispatches until the condition holds: a test waits for what it wants to see, never for a time.
template <class Condition>
bool until(OmmConsumer& consumer, Condition condition) {
    for (const UInt64 end = GetTime::getMillis() + 30'000; !condition() && GetTime::getMillis() < end;)
        consumer.dispatch(100'000);
    return condition();
}

int main() {
    int failed = 0;
    const auto check = [&failed](const char* what, bool good) {
        std::cout << (good ? "passed: " : "FAILED: ") << what << std::endl;
        if (!good) ++failed;
    };
    try {
        FakeProvider provider;
        provider.set("EMI.X", 3990);
        OmmConsumer consumer(
            OmmConsumerConfig().host(provider.host().c_str()).operationModel(OmmConsumerConfig::UserDispatchEnum));
        Watcher price, missing;
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("EMI.X"), price);
        consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name("NO.SUCH"), missing);
        check("the image has the price", until(consumer, [&] { return price.bid == 39.90; }));
        check("an item that does not exist is closed", until(consumer, [&] { return missing.closed; }));
        provider.set("EMI.X", 4001);
        check("the update has the next price", until(consumer, [&] { return price.bid == 40.01; }));
        provider.close("EMI.X");
        check("an item that ends is closed", until(consumer, [&] { return price.closed; }));
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
