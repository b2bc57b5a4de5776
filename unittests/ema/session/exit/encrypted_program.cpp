// A program whose end meets a consumer in the middle of TLS: encrypted_program CONFIG throws|leaves MILLISECONDS.
//   throws  the constructor gives up (LoginRequestTimeOut of the configuration), main returns
//   leaves  main ends MILLISECONDS after a consumer began to connect, and nobody destroys that consumer
// A clean end has exit code 0, whatever the consumer has reached.
#include "Ema.h"

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <thread>

using namespace refinitiv::ema::access;

namespace {

/// A program that has something to do at its end: what runs on meanwhile meets libraries that have been cleaned up.
struct LastThings {
    ~LastThings() { std::this_thread::sleep_for(std::chrono::milliseconds(100)); }
} lastThings;

void construct(const char* config) {
    try {
        OmmConsumer consumer(OmmConsumerConfig(config).username("user"));
    } catch (const OmmException&) {}  // the login time-out
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    if (std::string_view(argv[2]) == "throws") {
        construct(argv[1]);
        return 0;
    }
    std::thread([config = argv[1]] { construct(config); }).detach();
    std::this_thread::sleep_for(std::chrono::milliseconds(std::atoi(argv[3])));  // the moment is what is tried out
    return 0;
}
