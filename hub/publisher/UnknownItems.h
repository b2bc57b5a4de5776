// Answers to requests for items that nobody has published (hub.md 4.5).
#pragma once

#include "hub/flow/ItemFlow.h"
#include "hub/flow/Records.h"
#include "hub/publisher/TemplateFile.h"

#include <map>
#include <memory>
#include <string>

namespace emissary::hub::publisher {

/// Answers by the policy of the service. Stage thread only.
class UnknownItems {
public:
    UnknownItems(flow::ItemFlow& flow, flow::Records& records, ItemTable& items) noexcept
        : flow_(flow), records_(records), items_(items) {}

    /// Before the first request for the service's items; throws std::runtime_error with file and line when the file
    /// cannot be used.
    void useTemplates(const std::string& service, const std::string& file,
                      const eta::dictionary::Dictionary& dictionary);
    /// The item is idle, and mounts wait. It may be gone when this returns.
    void answer(Service& service, Item& item);

private:
    void close(Item& item, std::string_view why);
    void suspect(const Service& service, Item& item);
    void wait(Item& item);
    void fill(const Service& service, Item& item);
    /// A complete refresh, solicited, from here.
    [[nodiscard]] static Msg refresh(const Service& service, const Item& item);

    flow::ItemFlow& flow_;
    flow::Records& records_;
    ItemTable& items_;
    std::map<std::string, TemplateFile> templates_;  // by service name
};

}  // namespace emissary::hub::publisher
