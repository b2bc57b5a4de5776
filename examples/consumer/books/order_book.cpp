// Keeps an order book (MarketByOrder): collects the parts of the image, reads the summary that holds for all orders,
// and applies the actions of each update: add, update, delete.
//
//     order_book [host:port]     run provider/books/order_book first
#include "Ema.h"

#include <cstdlib>
#include <iostream>
#include <map>
#include <string>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

struct Order {
    double price = 0, size = 0;
    std::string side;
};

class OrderBook : public OmmConsumerClient {
public:
    bool done = false;

private:
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent&) override {  // why there is no image (yet)
        if (msg.hasState()) std::cerr << msg.getState().toString() << std::endl;
    }
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent&) override {
        // The first part of an image replaces what was there.
        if (!msg.hasPartNum() || msg.getPartNum() == 0) orders_.clear();
        apply(msg.getPayload().getMap());
        std::cout << "part " << (msg.hasPartNum() ? msg.getPartNum() : 0) << ", " << orders_.size() << " orders"
                  << std::endl;
        if (msg.getComplete()) show();  // an incomplete book is nothing to trade on
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent&) override {
        apply(msg.getPayload().getMap());
        show();
        done = true;
    }

    void apply(const Map& map) {
        if (map.getSummaryData().getDataType() == DataType::FieldListEnum) {
            const FieldList& summary = map.getSummaryData().getFieldList();
            if (summary.forth("CURRENCY")) currency_ = summary.getEntry().getEnumDisplay().c_str();
        }
        while (map.forth()) {
            const MapEntry& entry = map.getEntry();
            const std::string id = entry.getKey().getAscii().c_str();
            switch (entry.getAction()) {
            case MapEntry::AddEnum:
                orders_[id] = {};
                [[fallthrough]];
            case MapEntry::UpdateEnum:
                read(entry.getFieldList(), orders_[id]);
                break;
            case MapEntry::DeleteEnum:
                orders_.erase(id);
                break;
            }
        }
    }

    static void read(const FieldList& fields, Order& order) {
        while (fields.forth()) {
            const FieldEntry& field = fields.getEntry();
            switch (field.getFieldId()) {
            case 3427:
                order.price = field.getReal().getAsDouble();
                break;
            case 3428:
                order.side = field.getEnumDisplay().c_str();
                break;
            case 3429:
                order.size = field.getReal().getAsDouble();
                break;
            }
        }
    }

    void show() const {
        std::cout << "---- in " << currency_ << std::endl;
        for (const auto& [id, order] : orders_)
            std::cout << id << " " << order.side << " " << order.size << " @ " << order.price << std::endl;
    }

    std::map<std::string, Order> orders_;
    std::string currency_;
};

int main(int argc, char* argv[]) {
    try {
        OrderBook book;
        OmmConsumer consumer(OmmConsumerConfig()
                                 .host(argc > 1 ? argv[1] : "localhost:14002")
                                 .operationModel(OmmConsumerConfig::UserDispatchEnum));
        consumer.registerClient(ReqMsg().domainType(MMT_MARKET_BY_ORDER).serviceName("DIRECT_FEED").name("EMI.X"),
                                book);
        for (const UInt64 end = GetTime::getMillis() + 30'000; !book.done && GetTime::getMillis() < end;)
            consumer.dispatch(100'000);
        return book.done ? EXIT_SUCCESS : EXIT_FAILURE;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
