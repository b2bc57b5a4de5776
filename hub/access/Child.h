// hub/access: a program that the hub has started, with its pipes.
#pragma once

#include "eta/core/Refused.h"

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

namespace emissary::hub::access {

/// A program with pipes to its three standard descriptors, none of which blocks here. It has no other descriptor of
/// this process, takes every signal as if a shell had started it, and leads a process group of its own, so that a ^C
/// for the hub is none for it. It may run on the processors that this process had before it bound its threads. One
/// thread at a time.
class Child {
public:
    /// Starts it. The first word is the path of the program, the others are its arguments; no shell reads them. Waits
    /// for the system to load the program. Null: `refused` says what cannot be started, and why.
    [[nodiscard]] static std::unique_ptr<Child> start(const std::vector<std::string>& words, eta::Refused& refused);
    /// One that still runs is killed at once, with all that it has started.
    ~Child();
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    [[nodiscard]] int input() const noexcept { return input_; }    ///< a socket, for send(); -1 after closePipes()
    [[nodiscard]] int output() const noexcept { return output_; }  ///< -1 after closePipes()
    [[nodiscard]] int errors() const noexcept { return errors_; }  ///< -1 after closePipes()
    [[nodiscard]] pid_t pid() const noexcept { return pid_; }      ///< 0 once it was found to be gone
    void closePipes() noexcept;
    /// It has ended, and leaves no zombie behind. Does not wait.
    [[nodiscard]] bool gone() noexcept;
    /// How it ended: "it ended with code 1". Empty while it runs.
    [[nodiscard]] const std::string& ending() const noexcept { return ending_; }
    /// To it, and to what it has started.
    void signal(int number) const noexcept;

private:
    Child() = default;
    void noteEnd(int status);

    int input_ = -1, output_ = -1, errors_ = -1;
    pid_t pid_ = 0;
    std::string ending_;
};

}  // namespace emissary::hub::access
