// Several roles of one process on one listening socket, whatever its kind.
#pragma once

namespace emissary::reactor {

/// While one of these lives, the first role that listens on this thread binds its port, and roles that listen after it
/// share that socket, with the options of the first; every connection goes to the role with the fewest connections.
/// The roles are on reactors of their own, and have the same options. At most one on a thread at a time.
class ListenTogether {
public:
    ListenTogether() noexcept;  ///< begins
    ~ListenTogether();          ///< ends; the roles share the socket for as long as they listen
    ListenTogether(const ListenTogether&) = delete;
    ListenTogether& operator=(const ListenTogether&) = delete;
};

}  // namespace emissary::reactor
