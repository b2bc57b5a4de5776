// Names and CPU binding of threads.
#pragma once

#include <string>
#include <vector>

namespace emissary::reactor {

/// Logical CPUs meant by a binding text: "3", "0,2-4" (logical numbers) or "P:x C:y T:z" (package, core within the
/// package, hardware thread within the core; a missing C or T means all). Empty when the text is not understood
/// or names nothing that exists.
[[nodiscard]] std::vector<int> cpusOf(const std::string& binding);

/// Binds the calling thread; true on success. An empty text binds nothing and succeeds.
bool bindThisThread(const std::string& binding);

/// Shown by top and gdb; cut to 15 characters.
void nameThisThread(const std::string& name) noexcept;

}  // namespace emissary::reactor
