// The two ways to nest containers: hand over a finished child, or put in an empty one and fill it in place. And what is
// refused: children that are not complete, entries of mixed types, headers after the first entry.
//
//     containers
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

template <class Action>
void refused(const char* what, Action action) {
    try {
        action();
        std::cout << what << ": accepted" << std::endl;
    } catch (const OmmInvalidUsageException& failure) { std::cout << what << ": " << failure.getText() << std::endl; }
}

int main() {
    try {
        // 1. Child first.
        FieldList order;
        order.addReal(3427, 3990, OmmReal::ExponentNeg2Enum).addEnum(3428, 1).complete();
        Map finished;
        finished.addKeyAscii("ORDER1", MapEntry::AddEnum, order).complete();

        // 2. Parent first: the parent waits until its child is complete.
        Map inPlace;
        FieldList child;
        inPlace.addKeyAscii("ORDER1", MapEntry::AddEnum, child);
        child.addReal(3427, 3990, OmmReal::ExponentNeg2Enum).addEnum(3428, 1);
        refused("next entry while the child is open", [&] { inPlace.addKeyAscii("ORDER2", MapEntry::DeleteEnum); });
        child.complete();
        inPlace.complete();
        std::cout << (finished.getAsHex() == inPlace.getAsHex() ? "both ways give the same bytes" : "bytes differ")
                  << std::endl;

        Map mixed;
        mixed.addKeyAscii("A", MapEntry::AddEnum, order);
        refused("another payload type",
                [&] { mixed.addKeyAscii("B", MapEntry::AddEnum, ElementList().addInt("X", 1).complete()); });
        refused("another key type", [&] { mixed.addKeyUInt(5, MapEntry::AddEnum, order); });
        refused("a header after an entry", [&] { mixed.totalCountHint(2); });
        mixed.complete();
        refused("an entry after the end", [&] { mixed.addKeyAscii("C", MapEntry::DeleteEnum); });

        // What was built can be walked.
        int entries = 0;
        for (finished.reset(); finished.forth();)
            ++entries;
        std::cout << entries << " entry" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
