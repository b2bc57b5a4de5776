// hub/ops: calls of operators: their names, roles and arguments, and what is done for each of them.
#pragma once

#include "hub/access/OperatorFile.h"
#include "hub/ops/CallArguments.h"
#include "hub/ops/Captures.h"
#include "hub/ops/Gate.h"
#include "hub/ops/Inspector.h"
#include "hub/ops/ops_counts.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emissary::hub::ops {

/// What came of a call.
struct CallOutcome {
    unsigned status = 200;
    std::string text;  ///< a sentence: what was done, or why nothing was
    [[nodiscard]] bool good() const noexcept { return status < 300; }
};

/// One call: POST /ctl/NAME with its arguments as a JSON object.
struct CallRow {
    enum class Kind : std::uint8_t { text, number, flag };
    struct Argument {
        std::string_view name;
        Kind kind = Kind::text;
        bool needed = false;
        std::uint64_t most = 0;   ///< bytes of a text, or the largest number
        std::uint64_t least = 0;  ///< the smallest number
    };
    std::string_view name;
    access::OperatorRole role = access::OperatorRole::operate;
    std::string_view what;  ///< a sentence for --help
    std::array<Argument, 4> arguments;

    [[nodiscard]] const Argument* find(std::string_view argument) const noexcept;
};
/// All of them, in the order in which they are listed.
[[nodiscard]] std::span<const CallRow> callRows() noexcept;
/// Null: there is none.
[[nodiscard]] const CallRow* findCall(std::string_view name) noexcept;

/// What the arguments of a call are wrong for; empty: they can be used. Any thread.
[[nodiscard]] std::string faultOf(const CallRow& row, const CallArguments& arguments);

/// Does what calls ask for, on the hub's thread with the session lock held. Nothing that a call takes has a place
/// without a bound: names and texts are cut off by the limits of their row before they come here.
class Calls {
public:
    /// Made and destroyed with the session lock held. Borrowed.
    explicit Calls(const Inspected& hub) : hub_(hub), captures_(hub.reactor, hub.captures, hub.log) {}
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    /// The arguments have no fault. Audits what was done, and by whom.
    [[nodiscard]] CallOutcome make(const CallRow& row, const CallArguments& arguments, const Caller& who);
    void collect(reactor::metrics::Snapshot& into) const;

private:
    [[nodiscard]] CallOutcome run(const CallRow& row, const CallArguments& arguments, const Caller& who);
    [[nodiscard]] CallOutcome ejectClient(const CallArguments& arguments);
    [[nodiscard]] CallOutcome item(const CallRow& row, const CallArguments& arguments);

    const Inspected& hub_;
    Captures captures_;
    std::array<CallCounts, 16> made_, failed_;  // by the place of the row
};

}  // namespace emissary::hub::ops
