// A bus in memory between the hubs of one process, which can be cut.
#pragma once

#include "hub/nats/NatsBus.h"
#include "reactor/Reactor.h"

#include <deque>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <sys/eventfd.h>
#include <unistd.h>

namespace emissary::test {

/// Outlives its buses. One thread.
class MemoryMesh {
public:
    /// Of the hub that asks next, with that name for cut().
    [[nodiscard]] std::unique_ptr<hub::nats::NatsBus> bus(const std::string& name) {
        return std::make_unique<Bus>(*this, name);
    }
    /// Nothing goes from or to that hub until heal().
    void cut(const std::string& name) { cut_.insert(name); }
    void heal(const std::string& name) { cut_.erase(name); }
    /// So many of the next frames of updates to this hub are lost.
    void lose(const std::string& name, unsigned frames) { losing_ = {name, frames}; }
    /// So many of the next requests and answers are lost.
    void losePosts(unsigned frames) { losingPosts_ = frames; }

    const reactor::TimeSource* clock = nullptr;  ///< null: the steady one

private:
    class Bus final : public hub::nats::NatsBus {
    public:
        Bus(MemoryMesh& mesh, std::string name)
            : mesh_(mesh), name_(std::move(name)), fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
            mesh_.buses_.push_back(this);
        }
        ~Bus() override {
            std::erase(mesh_.buses_, this);
            ::close(fd_);
        }
        Bus(const Bus&) = delete;
        Bus& operator=(const Bus&) = delete;
        void publish(std::string_view subject, eta::Bytes frame) override {
            if (mesh_.cut_.contains(name_)) return;
            for (Bus* const to : mesh_.buses_) {
                if (to == this || mesh_.cut_.contains(to->name_) || !to->wants(subject)) continue;
                const bool lane =
                    subject.find(".u.") != std::string_view::npos || subject.find(".w.") != std::string_view::npos;
                if (lane && mesh_.losing_.first == to->name_ && mesh_.losing_.second != 0) {
                    --mesh_.losing_.second;
                    continue;
                }
                const bool talk =
                    subject.find(".q.") != std::string_view::npos || subject.find(".r.") != std::string_view::npos;
                if (talk && mesh_.losingPosts_ != 0) {
                    --mesh_.losingPosts_;
                    continue;
                }
                to->inbox_.emplace_back(frame.begin(), frame.end());
                to->ring();
            }
        }
        void subscribe(std::string_view subject) override { subjects_.emplace(subject); }
        void unsubscribe(std::string_view subject) override { subjects_.erase(std::string(subject)); }
        [[nodiscard]] eta::TimePoint now() const noexcept override {
            return mesh_.clock != nullptr ? mesh_.clock->now() : eta::Clock::now();
        }
        [[nodiscard]] int fd() const noexcept override { return fd_; }
        std::size_t receive(std::size_t most, const std::function<void(eta::Bytes)>& use) override {
            std::uint64_t count = 0;
            static_cast<void>(!::read(fd_, &count, sizeof(count)));
            std::size_t n = 0;
            for (; n < most && !inbox_.empty(); ++n) {
                const std::vector<std::byte> frame = std::move(inbox_.front());
                inbox_.pop_front();
                use(frame);
            }
            if (!inbox_.empty()) ring();
            return n;
        }
        [[nodiscard]] State state() const noexcept override {
            return mesh_.cut_.contains(name_) ? State::connecting : State::connected;
        }
        [[nodiscard]] std::string server() const override { return "memory"; }
        [[nodiscard]] std::string lastError() const override { return "the bus is cut"; }
        [[nodiscard]] const hub::nats::NatsCounts& counts() const noexcept override { return counts_; }

    private:
        void ring() const {
            const std::uint64_t one = 1;
            static_cast<void>(!::write(fd_, &one, sizeof(one)));
        }
        /// Names between dots; "*" stands for any.
        [[nodiscard]] bool wants(std::string_view subject) const {
            for (const std::string& s : subjects_) {
                const std::size_t star = s.find('*');
                if (star == std::string::npos ? s == subject : matches(s, star, subject)) return true;
            }
            return false;
        }
        [[nodiscard]] static bool matches(std::string_view pattern, std::size_t star, std::string_view subject) {
            const std::string_view before = pattern.substr(0, star), after = pattern.substr(star + 1);
            if (!subject.starts_with(before) || !subject.ends_with(after) ||
                subject.size() < before.size() + after.size())
                return false;
            const std::string_view middle =
                subject.substr(before.size(), subject.size() - before.size() - after.size());
            return middle.find('.') == std::string_view::npos;
        }
        MemoryMesh& mesh_;
        const std::string name_;
        const int fd_;
        std::set<std::string> subjects_;
        std::deque<std::vector<std::byte>> inbox_;
        hub::nats::NatsCounts counts_;
    };

    std::vector<Bus*> buses_;
    std::set<std::string> cut_;
    std::pair<std::string, unsigned> losing_;
    unsigned losingPosts_ = 0;
};

}  // namespace emissary::test
