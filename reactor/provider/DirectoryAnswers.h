// The source directory as the answer to a request for it.
#pragma once

#include "provider/Outbox.h"
#include "reactor/rdm/Directory.h"

namespace emissary::reactor {

/// Cuts the directory to what a stream asked for, by filters and service.
class DirectoryAnswers {
public:
    DirectoryAnswers(ProviderContext& context, const rdm::Directory& directory, Outbox& outbox,
                     ClientEnds& ends) noexcept
        : context_(context), directory_(directory), outbox_(outbox), ends_(ends) {}

    /// What a stream of domain 4 asked for, and whether it is for one service.
    [[nodiscard]] static rdm::DirectorySelection selectionOf(const Stream& stream) noexcept;
    /// A solicited refresh.
    void answer(Session& session, const Stream& stream);

private:
    ProviderContext& context_;
    const rdm::Directory& directory_;
    Outbox& outbox_;
    ClientEnds& ends_;
};

}  // namespace emissary::reactor
