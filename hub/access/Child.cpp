// Starts a program without copying the memory of this one, and finds its end.
#include "hub/access/Child.h"

#include "eta/core/printable.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <new>
#include <utility>

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace emissary::hub::access {

namespace {

/// A descriptor that is closed unless it is taken.
class Descriptor {
public:
    Descriptor() = default;
    ~Descriptor() { reset(-1); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    void reset(int fd) noexcept {
        if (fd_ >= 0) ::close(fd_);
        fd_ = fd;
    }
    [[nodiscard]] int get() const noexcept { return fd_; }
    [[nodiscard]] int take() noexcept { return std::exchange(fd_, -1); }

private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor ours, theirs;
};

[[nodiscard]] bool doNotBlock(int fd) noexcept {
    const int flags = ::fcntl(fd, F_GETFL);
    return flags >= 0 && ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) == 0;
}

[[nodiscard]] bool makePipe(Pipe& pipe) noexcept {
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    pipe.ours.reset(ends[0]);
    pipe.theirs.reset(ends[1]);
    return doNotBlock(ends[0]);
}

/// A socket, because a write to a pipe without a reader is a signal to the whole process.
[[nodiscard]] bool makeInput(Pipe& pipe) noexcept {
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return false;
    pipe.ours.reset(ends[0]);
    pipe.theirs.reset(ends[1]);
    // Nothing comes back on it.
    return ::shutdown(ends[0], SHUT_RD) == 0 && doNotBlock(ends[0]);
}

/// What posix_spawn() is told, freed in any case.
struct Instructions {
    posix_spawn_file_actions_t files{};
    posix_spawnattr_t attributes{};
    Instructions() noexcept {
        ::posix_spawn_file_actions_init(&files);
        ::posix_spawnattr_init(&attributes);
    }
    ~Instructions() {
        ::posix_spawn_file_actions_destroy(&files);
        ::posix_spawnattr_destroy(&attributes);
    }
    Instructions(const Instructions&) = delete;
    Instructions& operator=(const Instructions&) = delete;
};

[[nodiscard]] cpu_set_t processorsOf() noexcept {
    cpu_set_t set;
    CPU_ZERO(&set);
    (void)::pthread_getaffinity_np(::pthread_self(), sizeof set, &set);
    return set;
}

/// Those of the process before anything is bound (ThreadBind): this is set before main() begins.
const cpu_set_t kProcessors = processorsOf();

/// What this thread starts may run where the process could at first, and not only where the thread is bound.
class Unbound {
public:
    Unbound() noexcept : before_(processorsOf()) { bind(kProcessors); }
    ~Unbound() { bind(before_); }
    Unbound(const Unbound&) = delete;
    Unbound& operator=(const Unbound&) = delete;

private:
    static void bind(const cpu_set_t& set) noexcept {
        (void)::pthread_setaffinity_np(::pthread_self(), sizeof set, &set);
    }
    const cpu_set_t before_;
};

}  // namespace

std::unique_ptr<Child> Child::start(const std::vector<std::string>& words, eta::Refused& refused) {
    const auto fails = [&](int error) {
        refused = {"'" + eta::printable(words.empty() ? std::string() : words.front()) +
                   "' cannot be started: " + std::strerror(error)};
        return std::unique_ptr<Child>();
    };
    if (words.empty()) return fails(ENOENT);
    Pipe input, output, errors;
    if (!makeInput(input) || !makePipe(output) || !makePipe(errors)) return fails(errno);

    Instructions how;
    int e = 0;
    const auto then = [&e](int result) {
        if (e == 0) e = result;
    };
    then(::posix_spawn_file_actions_adddup2(&how.files, input.theirs.get(), STDIN_FILENO));
    then(::posix_spawn_file_actions_adddup2(&how.files, output.theirs.get(), STDOUT_FILENO));
    then(::posix_spawn_file_actions_adddup2(&how.files, errors.theirs.get(), STDERR_FILENO));
    // Descriptors here close on exec; this is for those of libraries that forgot to say so.
    then(::posix_spawn_file_actions_addclosefrom_np(&how.files, STDERR_FILENO + 1));
    // The thread that starts it may block all signals (NoSignals); the program must be able to end by one.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    then(::posix_spawnattr_setsigmask(&how.attributes, &none));
    then(::posix_spawnattr_setsigdefault(&how.attributes, &all));
    then(::posix_spawnattr_setpgroup(&how.attributes, 0));
    then(::posix_spawnattr_setflags(&how.attributes,
                                    POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP));
    if (e != 0) return fails(e);

    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));  // as execve() has it; nobody writes there
    arguments.push_back(nullptr);
    std::unique_ptr<Child> made(new Child);
    const Unbound meanwhile;
    if ((e = ::posix_spawn(&made->pid_, words.front().c_str(), &how.files, &how.attributes, arguments.data(),
                           environ)) != 0) {
        made->pid_ = 0;
        return fails(e);
    }
    made->input_ = input.ours.take();
    made->output_ = output.ours.take();
    made->errors_ = errors.ours.take();
    return made;
}

Child::~Child() {
    closePipes();
    if (gone()) return;
    signal(SIGKILL);
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
}

void Child::closePipes() noexcept {
    for (int* const fd : {&input_, &output_, &errors_})
        if (const int open = std::exchange(*fd, -1); open >= 0) ::close(open);
}

bool Child::gone() noexcept {
    if (pid_ == 0) return true;
    siginfo_t found{};
    // First without taking its number away: until then no other group can have it.
    if (::waitid(P_PID, static_cast<id_t>(pid_), &found, WEXITED | WNOHANG | WNOWAIT) != 0) {
        // Somebody else has waited for it, and the number may be another group's by now.
        if (errno == ECHILD) pid_ = 0;
        return pid_ == 0;
    }
    if (found.si_pid == 0) return false;
    // Whatever it started and left behind.
    (void)::kill(-pid_, SIGKILL);
    int status = 0;
    const pid_t pid = ::waitpid(pid_, &status, WNOHANG);
    try {
        if (pid > 0) noteEnd(status);
    } catch (const std::bad_alloc&) {}  // then nobody reads how it ended
    pid_ = 0;
    return true;
}

void Child::noteEnd(int status) {
    if (WIFEXITED(status)) ending_ = "it ended with code " + std::to_string(WEXITSTATUS(status));
    else if (WIFSIGNALED(status)) ending_ = "signal " + std::to_string(WTERMSIG(status)) + " ended it";
}

void Child::signal(int number) const noexcept {
    if (pid_ > 0) (void)::kill(-pid_, number);
}

}  // namespace emissary::hub::access
