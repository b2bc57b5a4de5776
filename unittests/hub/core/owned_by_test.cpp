// Members that everybody reads and one class writes.
#include "hub/core/Client.h"
#include "support/catch.hpp"

#include <type_traits>
#include <utility>

using namespace emissary::hub;

namespace {

class Writer;
using Owned = OwnedBy<int, Writer>;
class Writer {
public:
    static void write(Owned& to, int value) { to = value; }
};

template <class Member>
constexpr bool kWritable = std::is_assignable_v<Member&, int> || std::is_assignable_v<Member&, Member>;

// Whoever tries to write one of these does not compile.
static_assert(!kWritable<Owned>);
static_assert(!kWritable<decltype(Client::firstDelivery)>);
static_assert(!kWritable<decltype(Client::updates)>);
static_assert(!kWritable<decltype(Client::behind)>);
static_assert(!kWritable<decltype(Client::cutOff)>);
static_assert(!kWritable<decltype(Client::sent)>);
static_assert(!kWritable<decltype(Client::front)>);
static_assert(!std::is_copy_constructible_v<Owned>);
static_assert(sizeof(Owned) == sizeof(int));

}  // namespace

TEST_CASE("a value with one writer is read like what it is") {
    Owned value{3};
    CHECK(value == 3);
    Writer::write(value, 7);
    const int copy = value;
    CHECK(copy == 7);
    CHECK(value + 1 == 8);
    CHECK(Owned{} == 0);
}
