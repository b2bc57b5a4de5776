// The counts of a hub in a mesh, as the metrics show them.
#pragma once

#include "eta/core/Count.h"

namespace emissary::hub::backbone {

/// Filled for each snapshot, from mesh::MeshCounts and what there is now.
struct BackboneCounts {
    eta::Level<"emissary_hub_mesh_peers", "hubs", "Other hubs of the mesh that were heard of lately."> peers;
    eta::Level<"emissary_hub_mesh_lanes", "lanes", "Ways on which updates of other hubs come."> lanes;
    eta::Level<"emissary_hub_mesh_owned", "items", "Items that other hubs have from this one."> owned;
    eta::Level<"emissary_hub_mesh_remote", "items", "Items that this hub has from others."> remote;
    eta::Level<"emissary_hub_mesh_suspect", "items",
               "Items from other hubs that are shown as suspect, since nothing proves that they are current.">
        suspect;
    eta::Total<"emissary_hub_mesh_frames_in_total", "frames", "Frames of other hubs, and of this one, received.">
        framesIn;
    eta::Total<"emissary_hub_mesh_frames_out_total", "frames", "Frames given to the bus."> framesOut;
    eta::Total<"emissary_hub_mesh_copies_total", "frames",
               "Frames that came over both clusters (ServersB), and were used once.">
        copies;
    eta::Total<"emissary_hub_mesh_gaps_total", "gaps", "Times that frames of a lane were missing at first."> gaps;
    eta::Total<"emissary_hub_mesh_losses_total", "losses", "Times that they did not come later either."> losses;
    eta::Total<"emissary_hub_mesh_resyncs_total", "items",
               "Items whose version was compared with the owner's after a loss, or after the owner came back.">
        resyncs;
    eta::Total<"emissary_hub_mesh_images_total", "images", "Images that other hubs have sent."> images;
    eta::Total<"emissary_hub_mesh_moves_total", "items", "Items that went to another owner."> moves;
    eta::Total<
        "emissary_hub_mesh_handed_over_total", "items",
        "Of these, those whose owner was about to end, or seemed to be gone, and had them until the other one had "
        "sent an image.">
        handedOver;
    eta::Total<"emissary_hub_mesh_doubts_total", "owners",
               "Times that another hub seemed to be gone, and others were asked for its items in time.">
        doubts;
    eta::Total<"emissary_hub_mesh_conflated_updates_total", "messages",
               "Updates for other hubs joined with one that waited for the interval of its item (ExportConflation).">
        conflated;
    eta::Total<"emissary_hub_mesh_unconflated_updates_total", "messages",
               "Updates for other hubs that went before their interval was over, since ConflationBytes were used.">
        unconflated;
    eta::Level<"emissary_hub_mesh_conflating_items", "items",
               "Items of which an update for other hubs waits for its interval.">
        conflating;
    eta::Level<"emissary_hub_mesh_conflated_bytes", "bytes", "Memory for these updates."> conflatedBytes;
    eta::Level<"emissary_hub_mesh_dictionaries_differ", "hubs",
               "Other hubs of the mesh whose dictionary has another version than the one that this hub uses.">
        dictionariesDiffer;
    eta::Total<"emissary_hub_mesh_dictionaries_total", "dictionaries",
               "Dictionaries of other hubs that this one has taken, since it has none of its own.">
        dictionaries;
    eta::Total<"emissary_hub_mesh_preferred_total", "items",
               "Items that went from a source or publisher of this hub to another hub, which has a lower Rank "
               "(PreferRank).">
        preferred;
    eta::Level<"emissary_hub_mesh_posts_waiting", "messages",
               "Posts of clients of this hub that wait for other hubs to take or answer them.">
        postsWaiting;
    eta::Level<"emissary_hub_mesh_posts_held", "messages",
               "Posts of clients of other hubs that wait for the answer of a source of this one.">
        postsHeld;
    eta::Total<"emissary_hub_mesh_posts_out_total", "messages", "Posts and generic messages given to other hubs.">
        postsOut;
    eta::Total<"emissary_hub_mesh_posts_in_total", "messages",
               "Posts and generic messages of other hubs, each counted once.">
        postsIn;
    eta::Total<"emissary_hub_mesh_posts_unanswered_total", "messages",
               "Posts given to other hubs that had asked for an answer: the hub was lost, or did not answer in time.">
        postsGone;
    eta::Total<"emissary_hub_mesh_posts_lost_total", "messages",
               "Posts that had not asked for an answer, and generic messages, that no hub is known to have taken.">
        postsLost;
    eta::Total<"emissary_hub_mesh_posts_repeated_total", "messages",
               "Posts of other hubs that came once more, and were not handed on again.">
        postsRepeated;
    eta::Total<"emissary_hub_mesh_refused_posts_total", "messages",
               "Posts to or from other hubs that were refused, since as many wait as may be.">
        refusedPosts;
    eta::Total<"emissary_hub_mesh_refused_frames_total", "frames", "Frames that cannot be read."> refusedFrames;
    eta::Total<"emissary_hub_mesh_refused_items_total", "items",
               "Items that were not asked for or not given, since there are as many as may be.">
        refusedItems;
};

}  // namespace emissary::hub::backbone
