// Times: the clock of the library for intervals, and dates and times in both text styles, with parts left open.
//
//     times
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

// The value of the first element, as the library's object.
template <class Get>
void withFirst(const ElementList& list, Get get) {
    for (list.reset(); list.forth();)
        get(list.getEntry());
}

int main() {
    try {
        const TimeValue begin = GetTime::getMicros();
        ElementList list;
        list.addDate("Date", 2026, 3, 27)
            .addTime("Time", 14, 30, 5, 120)
            .addDateTime("DateTime", 2026, 3, 27, 14, 30, 5, 120, 7)
            .addTime("Minutes", 14, 30, 255, 65535, 2047, 2047)  // seconds and less are not known
            .complete();

        DateTimeStringFormat format;
        withFirst(list, [&](const ElementEntry& entry) {
            std::cout << entry.getName() << ": " << entry.getLoad().toString();
            format.dateTimeStringFormatType(DateTimeStringFormat::STR_DATETIME_ISO8601);
            if (entry.getLoadType() == DataType::DateEnum)
                std::cout << " or " << format.dateAsString(const_cast<OmmDate&>(entry.getDate()));
            else if (entry.getLoadType() == DataType::TimeEnum)
                std::cout << " or " << format.timeAsString(const_cast<OmmTime&>(entry.getTime()));
            else std::cout << " or " << format.dateTimeAsString(const_cast<OmmDateTime&>(entry.getDateTime()));
            std::cout << std::endl;
        });

        const TimeValue elapsed = GetTime::getMicros() - begin;
        std::cout << (elapsed < 60'000'000 ? "that took less than a minute" : "that took long") << std::endl;
        std::cout << (GetTime::ticksPerSecond() >= GetTime::ticksPerMilli() ? "ticks are fine" : "ticks are odd")
                  << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
