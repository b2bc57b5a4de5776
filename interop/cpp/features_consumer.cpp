// Uses every feature of a session once and checks what comes back: batch, view, updates, an image of many fragments,
// posts on and off stream, generic messages in both directions, a private stream, states of an item group. With
// --expect-restart it then lives through the loss of its provider. JavaFeatures is the provider.
#include "line.h"

#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <vector>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

namespace {

const char* const kService = "DIRECT_FEED";
constexpr Int64 kOnStreamPrice = 123456, kOffStreamPrice = 234567;

struct Stream {
    std::string name;
    UInt64 parent = 0;
    int images = 0, updates = 0, orders = 0, statuses = 0;
    bool isPrivate = false;
    std::vector<int> fields;    // ids of the last image
    std::vector<Int64> posted;  // prices that carry our publisher id
    OmmState::StreamState stream = OmmState::OpenEnum;
    OmmState::DataState data = OmmState::NoChangeEnum;
};

struct Ack {
    UInt64 handle;
    UInt32 id, seqNum;
    std::optional<int> nack;
};

class Watcher : public OmmConsumerClient {
public:
    std::map<UInt64, Stream> streams;
    std::vector<Ack> acks;
    std::vector<std::string> answers, questions;
    std::string problem;

    /// The stream of an item by its name, or none.
    const Stream* find(const std::string& name) const {
        for (const auto& [handle, stream] : streams)
            if (stream.name == name && stream.images > 0) return &stream;
        return nullptr;
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        Stream& stream = streams[event.getHandle()];
        stream.parent = event.getParentHandle();
        if (msg.hasName()) stream.name = msg.getName().c_str();
        note(stream, msg.getState());
        ++stream.images;
        stream.updates = 0;  // prices begin anew with each image; data may be suspect and go on
        stream.isPrivate = msg.getPrivateStream();
        stream.fields.clear();
        if (msg.getPayload().getDataType() == DataType::FieldListEnum) {
            const FieldList& fields = msg.getPayload().getFieldList();
            while (fields.forth()) {
                stream.fields.push_back(fields.getEntry().getFieldId());
                if (std::abs(fields.getEntry().getReal().getAsDouble() - 39.90) > 1e-9)
                    problem = "image of " + stream.name + " has another value in field " +
                              std::to_string(stream.fields.back());
            }
        } else if (msg.getPayload().getDataType() == DataType::MapEnum && msg.getDomainType() == MMT_MARKET_PRICE) {
            const Map& map = msg.getPayload().getMap();
            while (map.forth()) {
                const MapEntry& entry = map.getEntry();
                const std::string due = "ORDER" + std::to_string(stream.orders);
                const FieldList& fields = entry.getFieldList();
                if (due != entry.getKey().getAscii().c_str() || !fields.forth(22) ||
                    std::abs(fields.getEntry().getReal().getAsDouble() - stream.orders / 100.0) > 1e-9)
                    problem = "the large image has a wrong entry at " + due;
                ++stream.orders;
            }
        }
    }

    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        if (msg.getDomainType() != MMT_MARKET_PRICE) return;
        Stream& stream = streams[event.getHandle()];
        const FieldList& fields = msg.getPayload().getFieldList();
        if (stream.images == 0 || !fields.forth(22)) {
            problem = "update of " + stream.name + " before its image or without a price";
            return;
        }
        const double price = fields.getEntry().getReal().getAsDouble();
        if (msg.hasPublisherId()) stream.posted.push_back(std::llround(price * 100));
        else if (std::llround(price * 100) != interop::priceAfter(++stream.updates))
            problem = "update " + std::to_string(stream.updates) + " of " + stream.name + " has price " +
                      std::to_string(price);
    }

    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        Stream& stream = streams[event.getHandle()];
        ++stream.statuses;
        if (msg.hasState()) note(stream, msg.getState());
        stream.isPrivate = msg.getPrivateStream();
    }

    void onAckMsg(const AckMsg& msg, const OmmConsumerEvent& event) override {
        acks.push_back({event.getHandle(), msg.getAckId(), msg.hasSeqNum() ? msg.getSeqNum() : 0,
                        msg.hasNackCode() ? std::optional<int>(msg.getNackCode()) : std::nullopt});
    }

    void onGenericMsg(const GenericMsg& msg, const OmmConsumerEvent&) override {
        const ElementList& list = msg.getPayload().getElementList();
        while (list.forth()) {
            const std::string text = list.getEntry().getAscii().c_str();
            (list.getEntry().getName() == "Answer" ? answers : questions).push_back(text);
        }
    }

    static void note(Stream& stream, const OmmState& state) {
        stream.stream = state.getStreamState();
        stream.data = state.getDataState();
    }
};

class Test {
public:
    explicit Test(const interop::Line& line) : line_(line) {}

    std::string run() {
        Map config;
        interop::describeConsumer(line_, config);
        OmmConsumer consumer(OmmConsumerConfig().config(config).consumerName("Interop").operationModel(
            OmmConsumerConfig::UserDispatchEnum));
        consumer_ = &consumer;
        std::string result = channel();
        login_ = consumer.registerClient(ReqMsg().domainType(MMT_LOGIN), watcher_);
        waitFor("login", [&] { return watcher_.streams[login_].data == OmmState::OkEnum; });
        batch();
        if (line_.expectRestart) {
            privateStream();
            restart();
            return result + " batch private restart";
        }
        view();
        largeImage();
        posts();
        generics();
        privateStream();
        result += " batch view large posts generics private";
        if (line_.json()) return result;  // JSON messages do not carry their group (json.md 4.2)
        group();
        return result + " group";
    }

private:
    /// The connection is what was asked for.
    std::string channel() const {
        ChannelInformation channel;
        consumer_->getChannelInformation(channel);
        check(static_cast<int>(channel.getConnectionType()) == line_.type(), "the connection has another type");
        check((channel.getProtocolType() == ChannelInformation::RsslJsonEnum) == line_.json(),
              "the connection has another protocol");
        check(static_cast<int>(channel.getCompressionType()) == line_.compressionNumber(), "another compression");
        return line_.transport + " " + line_.protocol + " compression=" + line_.compression;
    }

    void batch() {
        OmmArray names;
        for (const char* name : {"BATCH.A", "BATCH.B", "BATCH.C"})
            names.addAscii(name);
        ReqMsg request;
        request.serviceName(kService).payload(
            ElementList().addArray(ENAME_BATCH_ITEM_LIST, names.complete()).complete());
        const UInt64 parent = consumer_->registerClient(request, watcher_);
        for (const char* name : {"BATCH.A", "BATCH.B", "BATCH.C"}) {
            waitFor(std::string("three updates of ") + name, [&] {
                const Stream* stream = watcher_.find(name);
                return stream != nullptr && stream->updates >= 3;
            });
            check(watcher_.find(name)->parent == parent, std::string(name) + " is not a child of the batch");
            check(watcher_.find(name)->fields == std::vector<int>{22, 25, 30, 31}, std::string(name) + " lacks fields");
        }
        check(watcher_.streams[parent].stream == OmmState::ClosedEnum, "the batch is not closed after its split");
    }

    void view() {
        OmmArray ids;
        ids.fixedWidth(2).addInt(22).addInt(31).complete();
        ElementList payload;
        payload.addUInt(ENAME_VIEW_TYPE, VT_FIELD_ID_LIST).addArray(ENAME_VIEW_DATA, ids).complete();
        const UInt64 item = open(ReqMsg().name("VIEW").payload(payload));
        check(watcher_.streams[item].fields == std::vector<int>{22, 31}, "the view is not what was asked for");
    }

    void largeImage() {
        const UInt64 item = open(ReqMsg().name("BIG"));
        check(watcher_.streams[item].orders == interop::kOrders, "the large image lacks entries");
    }

    void posts() {
        const UInt64 item = open(ReqMsg().name("POSTS"));
        const auto post = [&](UInt32 id, Int64 price, bool wrapped) {
            FieldList fields;
            fields.addReal(22, price, OmmReal::ExponentNeg2Enum).complete();
            PostMsg msg;
            msg.domainType(MMT_MARKET_PRICE)
                .postId(id)
                .seqNum(id + 100)
                .solicitAck(true)
                .complete(true)
                .publisherId(7, 0x7F000001);
            if (wrapped) msg.payload(UpdateMsg().payload(fields));
            else msg.payload(fields);
            return msg;
        };
        consumer_->submit(post(1, kOnStreamPrice, true), item);
        consumer_->submit(post(2, -1, true), item);
        PostMsg offStream = post(3, kOffStreamPrice, false);
        consumer_->submit(offStream.name("POSTS").serviceName(kService), login_);
        waitFor("three acknowledgements and two reflected posts",
                [&] { return watcher_.acks.size() == 3 && watcher_.streams[item].posted.size() == 2; });
        check(watcher_.streams[item].posted == std::vector<Int64>{kOnStreamPrice, kOffStreamPrice},
              "posts come back changed");
        for (const Ack& ack : watcher_.acks) {
            check(ack.handle == (ack.id == 3 ? login_ : item), "an acknowledgement came on another stream");
            check(ack.seqNum == ack.id + 100, "an acknowledgement lost its sequence number");
            check(ack.nack == (ack.id == 2 ? std::optional<int>(AckMsg::InvalidContentEnum) : std::nullopt),
                  "acknowledgement " + std::to_string(ack.id) + " has another code");
        }
    }

    void generics() {
        item_ = open(ReqMsg().name("TALK"));
        ask("first");
        ask("your turn");
        waitFor("a question of the provider", [&] { return watcher_.questions.size() == 1; });
        check(watcher_.questions[0] == "how are you", "the provider's question is " + watcher_.questions[0]);
        say("Answer", "well");
        waitFor("an answer to the answer",
                [&] { return !watcher_.answers.empty() && watcher_.answers.back() == "thank you"; });
    }

    void say(const char* kind, const std::string& text) {
        consumer_->submit(GenericMsg()
                              .domainType(MMT_MARKET_PRICE)
                              .complete(true)
                              .seqNum(++sequence_)
                              .payload(ElementList().addAscii(kind, text.c_str()).complete()),
                          item_);
    }

    void ask(const std::string& text) {
        say("Question", text);
        waitFor("an answer to '" + text + "'",
                [&] { return !watcher_.answers.empty() && watcher_.answers.back() == "to " + text; });
    }

    void privateStream() {
        const UInt64 open = consumer_->registerClient(ReqMsg().name("PRIVATE").serviceName(kService), watcher_);
        waitFor("the redirection", [&] { return watcher_.streams[open].stream == OmmState::ClosedRedirectedEnum; });
        check(watcher_.streams[open].isPrivate, "the redirection does not ask for a private stream");
        private_ = this->open(ReqMsg().name("PRIVATE").privateStream(true));
        check(watcher_.streams[private_].isPrivate, "the image is not on a private stream");
        waitFor("an update of the private stream", [&] { return watcher_.streams[private_].updates > 0; });
    }

    void group() {
        const UInt64 first = open(ReqMsg().name("GROUP.A")), second = open(ReqMsg().name("GROUP.B"));
        for (const auto state : {OmmState::SuspectEnum, OmmState::OkEnum}) {
            ask(state == OmmState::OkEnum ? "group ok" : "group suspect");
            for (const UInt64 member : {first, second})
                waitFor("a state of the group", [&] { return watcher_.streams[member].data == state; });
        }
        check(watcher_.streams[first].statuses == 2 && watcher_.streams[second].statuses == 2,
              "more states than changes");
        check(watcher_.streams[item_].statuses == 0, "an item outside of the group got a state");
    }

    void restart() {
        std::cout << "EXPECT-RESTART" << std::endl;
        for (const char* name : {"BATCH.A", "BATCH.B", "BATCH.C"})
            waitFor(std::string(name) + " becomes suspect", [&] {
                return watcher_.find(name)->data == OmmState::SuspectEnum &&
                       watcher_.find(name)->stream == OmmState::OpenEnum;
            });
        waitFor("the private stream is closed", [&] {
            const auto state = watcher_.streams[private_].stream;
            return state == OmmState::ClosedEnum || state == OmmState::ClosedRecoverEnum;
        });
        std::cout << "SUSPECT" << std::endl;
        for (const char* name : {"BATCH.A", "BATCH.B", "BATCH.C"})
            waitFor(std::string(name) + " recovers", [&] {
                const Stream& stream = *watcher_.find(name);
                return stream.images == 2 && stream.data == OmmState::OkEnum && stream.updates >= 3;
            });
        check(watcher_.streams[private_].images == 1, "the private stream was opened again");
    }

    UInt64 open(ReqMsg& request) {
        const UInt64 handle = consumer_->registerClient(request.serviceName(kService), watcher_);
        waitFor("an image", [&] { return watcher_.streams[handle].images == 1; });
        check(watcher_.streams[handle].stream == OmmState::OpenEnum &&
                  watcher_.streams[handle].data == OmmState::OkEnum,
              watcher_.streams[handle].name + " is not open and good");
        return handle;
    }
    UInt64 open(ReqMsg&& request) { return open(request); }

    void waitFor(const std::string& what, const std::function<bool()>& done) {
        const UInt64 end = GetTime::getMillis() + line_.patienceMillis();
        while (!done()) {
            if (GetTime::getMillis() > end) throw interop::Failed("timeout waiting for " + what);
            consumer_->dispatch(100'000);
            check(watcher_.problem.empty(), watcher_.problem);
        }
    }

    static void check(bool holds, const std::string& otherwise) {
        if (!holds) throw interop::Failed(otherwise);
    }

    const interop::Line& line_;
    Watcher watcher_;
    OmmConsumer* consumer_ = nullptr;
    UInt64 login_ = 0, item_ = 0, private_ = 0;
    UInt32 sequence_ = 0;
};

}  // namespace

int main(int argc, char* argv[]) {
    return interop::report([&] {
        const interop::Line line(argc, argv);
        return Test(line).run();
    });
}
