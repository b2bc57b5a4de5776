// Rights that have changed: which clients keep which items.
#pragma once

#include "hub/client/ItemMessages.h"

#include <memory>
#include <vector>

namespace emissary::hub::client {

/// Walks all mounts in slices, client by client, within half of each turn's budget (TurnBudget). A mount that is not
/// granted any more gets a close (NotEntitled); one that may have other fields than before (LoginViews) has them from
/// then on, with a refresh; the others see nothing. Streams that open meanwhile are checked by their request. Stage
/// thread only.
class Recheck {
public:
    Recheck(Context& context, ItemMessages& items) noexcept : context_(context), items_(items) {}
    Recheck(const Recheck&) = delete;
    Recheck& operator=(const Recheck&) = delete;

    /// Rights have changed. When a walk is under way, another one follows it. Nothing without a RequestCheck and
    /// views of logins.
    void begin();

private:
    enum class Step : std::uint8_t { done, later, over };
    void goOn();
    void run();
    [[nodiscard]] Step step();
    /// The streams of the next client; false: there is none.
    [[nodiscard]] bool list();
    [[nodiscard]] Step look(Client& client, std::int32_t stream);

    Context& context_;
    ItemMessages& items_;
    bool running_ = false, again_ = false;
    std::uint32_t client_ = 0;  // whose streams these are
    std::uint64_t handle_ = 0;  // its connection: another client may get its number
    std::uint32_t nextClient_ = 0;
    std::vector<std::int32_t> streams_;  // those to look at yet, the next one last
    std::shared_ptr<char> alive_ = std::make_shared<char>();
};

}  // namespace emissary::hub::client
