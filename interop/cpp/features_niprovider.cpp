// Publishes to a server what the feature scenarios compare: its directory, images (one of many fragments), updates,
// statuses; answers a post and a generic message, and ends when the server closes its first item. With --expect-restart
// it lives through the loss of its server and publishes everything again. JavaHub is the server.
#include "line.h"

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

constexpr UInt64 kFirst = 1, kSecond = 2, kBig = 3, kDirectory = 4;
constexpr UInt16 kService = 1;
constexpr int kUpdates = 5;

class Publisher : public OmmProviderClient {
public:
    explicit Publisher(const interop::Line& line) : line_(line) {}

    std::string run() {
        Map config;
        describe(config);
        OmmProvider provider(OmmNiProviderConfig()
                                 .config(config)
                                 .providerName("Interop")
                                 .username("interop")
                                 .adminControlDirectory(OmmNiProviderConfig::UserControlEnum)
                                 .operationModel(OmmNiProviderConfig::UserDispatchEnum),
                             *this);
        provider.registerClient(ReqMsg().domainType(MMT_LOGIN), *this);
        const UInt64 end = GetTime::getMillis() + line_.patienceMillis();
        while (!closed_ && GetTime::getMillis() < end) {
            if (due_) publish(provider);
            provider.dispatch(50'000);
        }
        if (!closed_) throw interop::Failed("the server did not close the first item in time");
        if (posts_ != 1 || generics_ != 1) throw interop::Failed("not one post and one generic message");
        if (line_.expectRestart != (published_ == 2))
            throw interop::Failed("published " + std::to_string(published_) + " times");
        return "published=" + std::to_string(published_) + " posts=1 generics=1";
    }

private:
    void describe(Map& config) const {
        ElementList channel;
        line_.describe(channel);
        channel.addEnum("ChannelType", static_cast<UInt16>(line_.type()));
        if (line_.encrypted())
            channel.addEnum("EncryptedProtocolType", static_cast<UInt16>(line_.innerType()))
                .addAscii("OpenSSLCAStore", (line_.certificates + "/ca.pem").c_str());
        channel.addAscii("Host", "localhost");
        ElementList instance;
        instance.addAscii("Channel", "Interop")
            .addInt("ReconnectMinDelay", 200)
            .addInt("ReconnectMaxDelay", 500)
            .addUInt("LoginRequestTimeOut", line_.patienceMillis());
        add(config, "NiProviderGroup", "NiProviderList", instance);
        add(config, "ChannelGroup", "ChannelList", channel);
        config.complete();
    }

    static void add(Map& config, const char* group, const char* list, ElementList& entry) {
        entry.complete();
        config.addKeyAscii(
            group, MapEntry::AddEnum,
            ElementList().addMap(list, Map().addKeyAscii("Interop", MapEntry::AddEnum, entry).complete()).complete());
    }

    void publish(OmmProvider& provider) {
        due_ = false;
        ++published_;
        directory(provider);
        for (const UInt64 handle : {kFirst, kSecond}) {
            FieldList fields;
            for (const Int16 id : std::initializer_list<Int16>{22, 25, 30, 31})  // BID, ASK, BIDSIZE, ASKSIZE
                fields.addReal(id, interop::priceAfter(0), OmmReal::ExponentNeg2Enum);
            image(provider, handle == kFirst ? "NI.A" : "NI.B", handle, fields.complete());
        }
        Map orders;
        for (int i = 0; i < interop::kOrders; ++i)
            orders.addKeyAscii(("ORDER" + std::to_string(i)).c_str(), MapEntry::AddEnum, Price(i));
        image(provider, "NI.BIG", kBig, orders.complete());
        for (int i = 1; i <= kUpdates; ++i)
            for (const UInt64 handle : {kFirst, kSecond})
                provider.submit(UpdateMsg().payload(Price(interop::priceAfter(i))), handle);
        provider.submit(StatusMsg().state(OmmState::OpenEnum, OmmState::SuspectEnum, OmmState::NoneEnum, "stale"),
                        kSecond);
        provider.submit(StatusMsg().state(OmmState::ClosedEnum, OmmState::SuspectEnum, OmmState::NotFoundEnum, "gone"),
                        kSecond);
        if (line_.expectRestart && published_ == 1) std::cout << "EXPECT-RESTART" << std::endl;
    }

    struct Price : FieldList {
        explicit Price(Int64 mantissa) { addReal(22, mantissa, OmmReal::ExponentNeg2Enum).complete(); }
    };

    static void image(OmmProvider& provider, const char* name, UInt64 handle, const ComplexType& payload) {
        provider.submit(RefreshMsg()
                            .name(name)
                            .serviceId(kService)
                            .state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "here it is")
                            .complete(true)
                            .payload(payload),
                        handle);
    }

    static void directory(OmmProvider& provider) {
        ElementList info, state;
        info.addAscii(ENAME_NAME, "DIRECT_FEED")
            .addArray(ENAME_CAPABILITIES, OmmArray().addUInt(MMT_MARKET_PRICE).complete())
            .complete();
        state.addUInt(ENAME_SVC_STATE, 1).addUInt(ENAME_ACCEPTING_REQS, 1).complete();
        FilterList filters;
        filters.add(SERVICE_INFO_ID, FilterEntry::SetEnum, info)
            .add(SERVICE_STATE_ID, FilterEntry::SetEnum, state)
            .complete();
        provider.submit(RefreshMsg()
                            .domainType(MMT_DIRECTORY)
                            .filter(SERVICE_INFO_FILTER | SERVICE_STATE_FILTER)
                            .state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "directory")
                            .complete(true)
                            .payload(Map().addKeyUInt(kService, MapEntry::AddEnum, filters).complete()),
                        kDirectory);
    }

    void onRefreshMsg(const RefreshMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() == MMT_LOGIN) note(msg.getState());
    }

    void onStatusMsg(const StatusMsg& msg, const OmmProviderEvent&) override {
        if (msg.getDomainType() == MMT_LOGIN && msg.hasState()) note(msg.getState());
    }

    // Everything is published again after a loss.
    void note(const OmmState& login) {
        if (login.getDataState() == OmmState::SuspectEnum) {
            if (!lost_) std::cout << "SUSPECT" << std::endl;
            lost_ = true;
        } else if (lost_) {
            due_ = true;
            lost_ = false;
        }
    }

    // What was posted is published; a post without a price counts as one more update. Publishers have no dictionary:
    // what they are sent comes as elements.
    void onPostMsg(const PostMsg& post, const OmmProviderEvent& event) override {
        ++posts_;
        Int64 due = interop::priceAfter(kUpdates + 1);
        if (post.getPayload().getDataType() == DataType::ElementListEnum) {
            const ElementList& list = post.getPayload().getElementList();
            if (list.forth("Price")) due = list.getEntry().getReal().getMantissa();
        }
        event.getProvider().submit(UpdateMsg().payload(Price(due)), event.getHandle());
    }

    void onGenericMsg(const GenericMsg&, const OmmProviderEvent& event) override {
        ++generics_;
        event.getProvider().submit(GenericMsg()
                                       .domainType(MMT_MARKET_PRICE)
                                       .complete(true)
                                       .payload(ElementList().addAscii("Answer", "well").complete()),
                                   event.getHandle());
    }

    void onClose(const ReqMsg&, const OmmProviderEvent& event) override { closed_ = event.getHandle() == kFirst; }

    const interop::Line& line_;
    int published_ = 0, posts_ = 0, generics_ = 0;
    bool due_ = true, lost_ = false, closed_ = false;
};

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] {
        const interop::Line line(argc, argv);
        return Publisher(line).run();
    });
}
