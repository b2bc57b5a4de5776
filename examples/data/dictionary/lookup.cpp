// Works with dictionary files alone: loads them, looks fields up by id and by name, follows enumerated values, copies
// the dictionary and sends it through the form in which it travels over the line.
//
//     lookup     in a folder with RDMFieldDictionary and enumtype.def
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

int main() {
    try {
        DataDictionary dictionary;
        std::cout << dictionary.toString() << std::endl;  // says that nothing is loaded
        dictionary.loadFieldDictionary("RDMFieldDictionary");
        dictionary.loadEnumTypeDictionary("enumtype.def");
        std::cout << "fields " << dictionary.getMinFid() << " to " << dictionary.getMaxFid() << ", version "
                  << dictionary.getFieldVersion() << std::endl;

        const DictionaryEntry& byId = dictionary.getEntry(6);
        std::cout << byId.getAcronym() << " ripples to " << byId.getRippleToField() << std::endl;
        DictionaryEntry mine;  // filled by the second form, and stays as it is
        dictionary.getEntry("ORDER_SIDE", mine);
        for (const UInt16 value : {1, 2, 77})
            std::cout << mine.getAcronym() << " " << value << " is "
                      << (mine.hasEnumType(value) ? mine.getEnumType(value).getDisplay().c_str() : "unknown")
                      << std::endl;

        // Over the line a dictionary is a Series in as many parts as it takes.
        DataDictionary received;
        Int32 fid = dictionary.getMinFid(), table = 0;
        int parts = 0;
        for (bool through = false; !through; ++parts) {
            Series part;
            through = dictionary.encodeFieldDictionary(part, fid, DICTIONARY_VERBOSE, 6000);
            received.decodeFieldDictionary(part, DICTIONARY_VERBOSE);
        }
        for (bool through = false; !through; ++parts) {
            Series part;
            through = dictionary.encodeEnumTypeDictionary(part, table, DICTIONARY_VERBOSE, 6000);
            received.decodeEnumTypeDictionary(part, DICTIONARY_VERBOSE);
        }
        std::cout << (parts > 2 ? "in parts" : "in one part each") << std::endl;
        std::cout << (received.getEntries().size() == dictionary.getEntries().size() ? "nothing is lost"
                                                                                     : "fields are lost")
                  << std::endl;

        const DataDictionary copy(dictionary);
        dictionary.clear();
        std::cout << "the copy still has " << copy.getEntry("BID").getAcronym() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
