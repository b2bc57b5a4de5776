// The counts of the publishers' side of the hub.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::publisher {

/// Written by the stage thread only.
struct PublisherCounts {
    eta::Level<"emissary_hub_publishers", "publishers", "Publishers that are logged in."> publishers;
    eta::Total<"emissary_hub_publisher_logins_total", "logins", "Logins of publishers that were taken."> logins;
    eta::Total<"emissary_hub_publisher_refusals_total", "logins", "Logins of publishers that were refused."> refusals;
    eta::Total<"emissary_hub_publisher_offers_refused_total", "offers",
               "Services that publishers offered and may not, or not any more (PublisherGroups).">
        offersRefused;
    eta::Total<"emissary_hub_publisher_losses_total", "publishers", "Publishers that were logged in and have gone.">
        losses;
    eta::Total<"emissary_hub_published_total", "messages", "Messages of publishers about items."> messages;
    eta::Total<"emissary_hub_published_early_total", "messages",
               "Messages of publishers that came before a refresh of their item; they were ignored.">
        early;
    eta::Total<"emissary_hub_published_foreign_total", "messages",
               "Messages of publishers whose key is not the one of their stream; they were ignored.">
        foreign;
    eta::Total<"emissary_hub_published_unserved_total", "messages",
               "Messages of publishers for services that are not taken from them; they were ignored.">
        unserved;
    eta::Total<"emissary_hub_published_over_limit_total", "messages",
               "Refreshes of new items ignored since their service has MaxItems.">
        overLimit;
    eta::Total<"emissary_hub_publisher_ignored_total", "messages",
               "Messages of publishers that are none a publisher sends, or name what it has not published.">
        ignored;
    eta::Level<"emissary_hub_standby_items", "items", "Items that a second publisher holds as well."> standby;
    eta::Total<"emissary_hub_promotions_total", "items", "Items that went on with the image of another publisher.">
        promotions;
    eta::Total<"emissary_hub_republish_timeouts_total", "items",
               "Items closed since nobody published them again within RepublishTimeout.">
        republishTimeouts;
    eta::Total<"emissary_hub_unknown_items_total", "requests", "Requests for items that nobody has published."> unknown;
};

}  // namespace emissary::hub::publisher
