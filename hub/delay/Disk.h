// hub/delay: the thread that writes and reads files of delay lines, so that the stage waits for no disk.
#pragma once

#include "hub/delay/SpillFile.h"
#include "reactor/OpenDescriptor.h"
#include "reactor/Reactor.h"

#include <array>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace emissary::hub::delay {

using Block = std::array<std::byte, kBlock>;

/// What is asked of a disk, and what became of it.
struct DiskJob {
    enum class Kind : std::uint8_t { write, read };
    Kind kind = Kind::write;
    std::uint64_t block = 0;       ///< the line's number of the block
    std::uint64_t slot = 0;        ///< where it stands in the file
    std::shared_ptr<Block> bytes;  ///< shared with the line, which does not touch it meanwhile
    int error = 0;                 ///< of the system; 0: it is done
};

/// Takes jobs of one line, and answers each once, in order, from a turn of the loop.
class Disk {
public:
    virtual ~Disk() = default;
    /// Throws std::bad_alloc; the job was not taken then.
    virtual void ask(DiskJob job) = 0;
    /// Who hears the answers.
    std::function<void(DiskJob&)> answered;
};

/// A disk with a thread, which begins with the first job. Made and destroyed with the session lock held.
class DiskThread final : public Disk, private reactor::EventSource {
public:
    DiskThread(reactor::Reactor& reactor, std::unique_ptr<SpillFile> file);
    ~DiskThread() override;
    DiskThread(const DiskThread&) = delete;
    DiskThread& operator=(const DiskThread&) = delete;

    void ask(DiskJob job) override;

private:
    void onReady(std::uint32_t epollEvents) noexcept override;
    void run();

    reactor::Reactor& reactor_;
    const std::unique_ptr<SpillFile> file_;
    const reactor::OpenDescriptor done_ = reactor::OpenDescriptor::event();
    std::mutex mutex_;
    std::condition_variable wake_;
    // Guarded by mutex_:
    std::vector<DiskJob> asked_, answers_;
    bool ends_ = false;

    std::thread thread_;
};

}  // namespace emissary::hub::delay
