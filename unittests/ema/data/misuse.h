// What the tests of containers and of wrong use share.
#pragma once

#include "Ema.h"
#include "support.h"

namespace ematest {

/// An update whose payload is the given container, as received.
inline ReceivedMsg<UpdateMsg> received(const ComplexType& payload, const Dictionary* dictionary = &shippedFields()) {
    UpdateMsg msg;
    msg.payload(payload);
    return ReceivedMsg<UpdateMsg>(msg, dictionary);
}

inline EmaString letters(std::size_t count) {
    const std::string text(count, 'A');
    return {text.data(), static_cast<UInt32>(text.size())};
}

/// What stays of a container after a refused add is what was there before it: it goes on, and reads back like one that
/// never saw the refused value.
template <class Container, class Add, class Refuse>
void goesOn(Add add, Refuse refuse) {
    Container expected, tried;
    add(expected, 1);
    add(expected, 2);
    expected.complete();
    add(tried, 1);
    CHECK_FALSE(thrownBy([&] { refuse(tried); }).cls.empty());
    add(tried, 2);
    CHECK_NOTHROW(tried.complete());
    CHECK(hex(tried) == hex(expected));
    Container first;  // a refused first add leaves an empty container
    CHECK_FALSE(thrownBy([&] { refuse(first); }).cls.empty());
    add(first, 1);
    add(first, 2);
    CHECK_NOTHROW(first.complete());
    CHECK(hex(first) == hex(expected));
}

}  // namespace ematest
