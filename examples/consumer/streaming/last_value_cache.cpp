// Keeps the last value of every field of several items, and answers questions from it at any moment: an image replaces
// what there was, an update replaces the fields it has. A value that may be old says so: the state of its item is kept
// beside the fields.
//
//     last_value_cache [host:port]     run provider/prices/quotes first
#include "Ema.h"

#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <map>
#include <mutex>
#include <optional>
#include <string>

using namespace refinitiv::ema::access;

/// Written by the library's thread, read by any.
class LastValueCache : public OmmConsumerClient {
public:
    struct Record {
        std::map<Int16, std::string> fields;  // by id; a blank value is an empty text
        bool complete = false;                // the whole image is there
        bool suspect = true;                  // may be old
        int updates = 0;
    };

    /// A copy of what is known of an item: what comes later does not change it.
    std::optional<Record> find(const std::string& item) const {
        const std::lock_guard lock(mutex_);
        const auto found = records_.find(item);
        if (found == records_.end() || !found->second.complete) return std::nullopt;
        return found->second;
    }
    /// Waits until `items` items have had `updates` updates each.
    bool wait(std::size_t items, int updates) {
        std::unique_lock lock(mutex_);
        return changed_.wait_for(lock, std::chrono::seconds(30), [&] {
            std::size_t ready = 0;
            for (const auto& [name, record] : records_)
                if (record.complete && record.updates >= updates) ++ready;
            return ready >= items;
        });
    }

private:
    void onRefreshMsg(const RefreshMsg& msg, const OmmConsumerEvent& event) override {
        const std::lock_guard lock(mutex_);
        Record& record = records_[nameOf(event)];
        if (msg.getClearCache()) record.fields.clear();
        apply(record, msg.getPayload());
        record.complete = record.complete || msg.getComplete();
        record.suspect = msg.getState().getDataState() != OmmState::OkEnum;
        changed_.notify_all();
    }
    void onUpdateMsg(const UpdateMsg& msg, const OmmConsumerEvent& event) override {
        const std::lock_guard lock(mutex_);
        Record& record = records_[nameOf(event)];
        apply(record, msg.getPayload());
        ++record.updates;
        changed_.notify_all();
    }
    void onStatusMsg(const StatusMsg& msg, const OmmConsumerEvent& event) override {
        if (!msg.hasState()) return;
        std::cerr << nameOf(event) << ": " << msg.getState().toString() << std::endl;
        const std::lock_guard lock(mutex_);
        const auto stream = msg.getState().getStreamState();
        if (stream != OmmState::OpenEnum && stream != OmmState::NonStreamingEnum) records_.erase(nameOf(event));
        else if (msg.getState().getDataState() == OmmState::SuspectEnum) records_[nameOf(event)].suspect = true;
    }

    // The name comes as closure, since updates carry none as a rule.
    static std::string nameOf(const OmmConsumerEvent& event) { return static_cast<const char*>(event.getClosure()); }

    // Values are copied: what a message holds is gone when the callback returns.
    static void apply(Record& record, const Payload& payload) {
        if (payload.getDataType() != DataType::FieldListEnum) return;
        const FieldList& fields = payload.getFieldList();
        while (fields.forth()) {
            const FieldEntry& field = fields.getEntry();
            record.fields[field.getFieldId()] =
                field.getCode() == Data::BlankEnum ? "" : field.getLoad().toString().c_str();
        }
    }

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::map<std::string, Record> records_;
};

int main(int argc, char* argv[]) {
    static constexpr const char* kItems[] = {"EMI.X", "EMI.Y", "EMI.Z"};
    try {
        LastValueCache cache;
        OmmConsumer consumer(OmmConsumerConfig().host(argc > 1 ? argv[1] : "localhost:14002"));
        for (const char* item : kItems)
            consumer.registerClient(ReqMsg().serviceName("DIRECT_FEED").name(item), cache, const_cast<char*>(item));
        if (!cache.wait(3, 5)) {
            std::cerr << "no data for half a minute" << std::endl;
            return EXIT_FAILURE;
        }
        for (const char* item : kItems) {
            const auto record = cache.find(item);
            if (!record) continue;
            std::cout << item << (record->suspect ? " (may be old)" : "") << ": " << record->fields.size()
                      << " fields, name " << record->fields.at(3) << ", bid " << record->fields.at(22) << std::endl;
        }
        std::cout << (cache.find("EMI.Q") ? "EMI.Q is known" : "EMI.Q is not known") << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
