// Who sends the items: an interactive provider that serves what is asked for, or a publisher that sends everything.
#pragma once

#include "Truth.h"

namespace emissary::truthfeed {

struct Options {
    std::string role;                ///< provider, publisher or consumer
    std::string name;                ///< of the section in EmaConfig.xml
    std::string services = "TRUTH";  ///< comma-separated
    unsigned items = 100;            ///< of each service
    Schedule schedule;
    unsigned settleSeconds = 10;  ///< after the end, until a consumer must have everything
    unsigned staleSeconds = 10;   ///< older than this is wrong, if it is said to be Ok
    unsigned lieEvery = 0;        ///< one update in this many is wrong: shows that consumers see it
    unsigned imageEvery = 0;      ///< of a feed: one update in this many is replaced by the whole image
    unsigned posts = 0;           ///< of a consumer, a second
    unsigned showPosts = 0;       ///< of a provider: 1: everybody gets what was posted and not refused
    unsigned changes = 0;         ///< of a consumer, a second: pauses, resumes, reissues, closes
    unsigned seed = 1;            ///< of posts and changes
    unsigned samples = 0;         ///< of a consumer: ms between lines about each service; 0 = none
};

/// Until a while after the end of the schedule; 0 = in order.
int runProvider(const Options& options);
int runPublisher(const Options& options);
/// 0: everything that was marked Ok was true at every moment, and at the end all of it was there.
int runConsumer(const Options& options);

}  // namespace emissary::truthfeed
