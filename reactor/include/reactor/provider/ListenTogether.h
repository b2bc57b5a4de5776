// Several roles of one process on one listening socket, whatever its kind.
#pragma once

namespace emissary::reactor {

/// While one of these lives, the first role that listens on this thread binds its port, alone, and those that listen
/// after it take part in that socket, with the first one's options: every connection goes to the role that has the
/// fewest. The roles are on reactors of their own, and have the same options. One at a time on a thread.
class ListenTogether {
public:
    ListenTogether() noexcept;  ///< begins
    ~ListenTogether();          ///< ends; the roles share the socket for as long as they listen
    ListenTogether(const ListenTogether&) = delete;
    ListenTogether& operator=(const ListenTogether&) = delete;
};

}  // namespace emissary::reactor
