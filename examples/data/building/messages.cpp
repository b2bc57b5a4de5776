// Builds messages and reads them back without any connection: every setter has its getter, containers can be walked as
// soon as they are complete, and with a dictionary the whole prints as text.
//
//     messages     in a folder with RDMFieldDictionary and enumtype.def
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;
using namespace refinitiv::ema::rdm;

int main() {
    try {
        DataDictionary dictionary;
        dictionary.loadFieldDictionary("RDMFieldDictionary");
        dictionary.loadEnumTypeDictionary("enumtype.def");

        RefreshMsg image;
        image.domainType(MMT_MARKET_PRICE).name("EMI.X").serviceId(7).seqNum(5).complete(true);
        image.state(OmmState::OpenEnum, OmmState::OkEnum, OmmState::NoneEnum, "built here");
        image.payload(FieldList().addReal(22, 3990, OmmReal::ExponentNeg2Enum).addEnum(15, 840).complete());

        std::cout << image.getName() << ", number " << image.getSeqNum() << ", " << image.getState().toString()
                  << std::endl;
        std::cout << (image.hasQos() ? "has a quality" : "has no quality") << std::endl;
        std::cout << image.toString(dictionary);

        // A copy lives on its own.
        const RefreshMsg copy(image);
        image.clear();
        std::cout << "the copy is still " << copy.getName() << ", the original has "
                  << (image.hasName() ? "a name" : "no name") << std::endl;

        // Objects are made to be used again: clear() and fill, and no memory is asked for any more.
        FieldList fields;
        UpdateMsg update;
        for (Int64 bid = 3991; bid <= 3993; ++bid) {
            fields.clear().addReal(22, bid, OmmReal::ExponentNeg2Enum).complete();
            update.clear().name("EMI.X").updateTypeNum(INSTRUMENT_UPDATE_QUOTE).payload(fields);
            std::cout << "update of " << update.getAsHex().length() << " bytes" << std::endl;
        }

        // Messages inside messages: what a contributor posts is a whole message.
        PostMsg post;
        post.postId(1).name("EMI.X").payload(update);
        std::cout << "a post holds an " << DataType(post.getPayload().getDataType()).toString() << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
