// Sets an item's state and its status text, as its clients get them.
#include "hub/flow/ItemLife.h"

namespace emissary::hub::flow {

static_assert(ItemLife::inOrder());

// static text of a State borrows the message, so the item keeps a copy. An item without extras and without text
// allocates nothing.
void ItemLife::tell(Item& item, const eta::codec::State& state) {
    item.streamState = state.stream;
    item.dataState = state.data;
    item.code = state.code;
    if (!state.text.empty() || item.extras) item.more().text.assign(eta::asText(state.text));
}

}  // namespace emissary::hub::flow
