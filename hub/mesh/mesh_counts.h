// The counts of a node of the mesh.
#pragma once

#include "emissary/Counter.h"

namespace emissary::hub::mesh {

/// Written by the node's thread; any thread reads.
struct MeshCounts {
    Counter framesIn, framesOut, bytesIn, bytesOut;
    Counter refusedFrames;     ///< malformed
    Counter compressedFrames;  ///< LZ4, which this hub cannot read
    Counter staleFrames;       ///< of an earlier life of the sender, for an earlier life of this node, or out of order
    Counter repeatedFrames;    ///< sequences of a lane that were there already
    Counter gaps;              ///< times that frames of a lane were missing
    Counter losses;            ///< times that they did not come later either
    Counter brokenMessages;    ///< fragments without their neighbours, or too many
    Counter ignoredRecords;    ///< of a kind that is not for this frame, malformed inside, or not handled yet
    Counter asked, resynced;   ///< items requested by name; items whose version was checked
    Counter images, same;      ///< answers to that
    Counter oldImages;         ///< images with a version that was there already
    Counter pendingDropped;    ///< records that waited and did not fit
    Counter unwantedRecords;   ///< of items that nobody here wants
    Counter refusedItems, refusedNodes, refusedServices;  ///< bounds of MeshOptions
    Counter dictionaries;                                 ///< of other nodes that have come whole
    Counter refusedDictionaries;                          ///< longer than may be, or with something that cannot be read
    Counter unsentDictionaries;                           ///< given up since the owner did not send their parts
    Counter groupStates;                                  ///< updates that came with the body of the one before them
    Counter switches;                                     ///< items that moved to another lane
    Counter moves;                                        ///< items that went to another owner
    Counter handedOver;                                   ///< of these, before their owner was lost, with an image
    Counter doubts;                                       ///< times that an owner seemed to be gone
    Counter epochs;                                       ///< nodes that began a new life
    Counter livesAnew;                                    ///< of this node: others knew a later epoch of it
    Counter forgotten;                                    ///< nodes whose interest ended with silence
    Counter postsOut, postsIn;                            ///< posts given to other nodes; posts of theirs handed on
    Counter postsAnswered;                                ///< of postsOut: answers of the owner
    Counter postsGone;  ///< of postsOut: the owner was lost, or did not answer in time, and the poster asked
    Counter postsLost;  ///< no ack was asked for, and it was lost: one of postsOut, or of postsIn and not taken here
    Counter postsRepeated;   ///< came once more, and were handed on once
    Counter postsSentAgain;  ///< since the owner had not said that it has them
    Counter acksSentAgain;   ///< since the edge had not said that it has them
    Counter refusedPosts;    ///< bounds of MeshOptions, on either side
};

}  // namespace emissary::hub::mesh
