// Starts a tool, waits for what it prints, sends it signals, and reads its files.
#include "ToolProcess.h"

#include "support/until.h"

#include <arpa/inet.h>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <netinet/in.h>
#include <sstream>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace emissary::perf::test {

namespace {

template <class Condition>
bool waitUntil(double seconds, Condition condition) {
    using namespace std::chrono;
    return emissary::test::eventually(condition, duration_cast<nanoseconds>(duration<double>(seconds)));
}

sockaddr_in loopback(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

}  // namespace

ToolProcess::ToolProcess(const std::string& program, const std::vector<std::string>& arguments, const TempDir& dir,
                         const std::string& outputName)
    : outputFile_(dir.file(outputName)) {
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    const std::string directory = dir.file("");
    pid_ = fork();
    if (pid_ != 0) return;
    const int output = open(outputFile_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    if (chdir(directory.c_str()) == 0) execv(program.c_str(), argv.data());
    _exit(127);
}

ToolProcess::~ToolProcess() {
    if (exitCode_ || pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
}

void ToolProcess::signal(int number) const {
    if (!exitCode_ && pid_ > 0) kill(pid_, number);
}

std::optional<int> ToolProcess::wait(double seconds) {
    waitUntil(seconds, [this] {
        int status = 0;
        if (!exitCode_ && waitpid(pid_, &status, WNOHANG) == pid_)
            exitCode_ = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
        return exitCode_.has_value();
    });
    return exitCode_;
}

std::string ToolProcess::output() const {
    return readFile(outputFile_);
}

bool ToolProcess::waitForOutput(const std::string& text, double seconds) {
    bool found = false;
    waitUntil(seconds, [&] {
        const bool ended = !running();
        found = output().find(text) != std::string::npos;
        return found || ended;
    });
    return found;
}

bool isListening(int port) {
    const int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in address = loopback(port);
    const bool connected = connect(peer, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    close(peer);
    if (connected) return true;
    // Servers in shared memory have a local name in the place of a port.
    std::ifstream names("/proc/net/unix");
    const std::string wanted = "@emissary/shmem/" + std::to_string(port);
    for (std::string line; std::getline(names, line);)
        if (line.ends_with(' ' + wanted)) return true;
    return false;
}

bool waitForListener(int port, double seconds) {
    return waitUntil(seconds, [port] { return isListening(port); });
}

std::string readFile(const std::string& name) {
    std::ifstream file(name, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

}  // namespace emissary::perf::test
