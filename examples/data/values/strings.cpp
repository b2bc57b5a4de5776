// The library's own strings, buffers and vectors, and texts in RMTES: what they can do that application code needs.
//
//     strings
#include "Ema.h"

#include <cstdlib>
#include <iostream>

using namespace refinitiv::ema::access;

int main() {
    try {
        EmaString text("  TRI");
        text.trimWhitespace().append(".").append("N");
        text += 42;
        std::cout << text << ", " << text.length() << " characters, N at " << text.find("N") << std::endl;
        std::cout << text.substr(0, 3) << (text.caseInsensitiveCompare("tri.n42") ? ", the same in small letters" : "")
                  << std::endl;
        EmaString secret("password");
        secret.secureClear();  // and the memory is overwritten
        std::cout << (secret.empty() ? "forgotten" : "still there") << std::endl;

        EmaBuffer bytes("Hello", 5);
        bytes.append('!').append("\x00\xff", 2);
        std::cout << bytes;  // as a hexadecimal dump

        EmaVector<EmaString> names;
        names.push_back("EMI.X");
        names.push_back("SSA.X");
        names.removeValue("EMI.X");
        std::cout << names.size() << " name, " << names[0] << " at " << names.getPositionOf("SSA.X") << std::endl;

        RmtesBuffer row("COFFEE  4.20", 12);
        row.apply("\x1b[8`5.10", 8);  // from column 8 on
        std::cout << row.toString() << ", " << row.getAsUTF16().length() << " characters in UTF-16" << std::endl;
    } catch (const OmmException& failure) {
        std::cerr << failure << std::endl;
        return EXIT_FAILURE;
    }
}
