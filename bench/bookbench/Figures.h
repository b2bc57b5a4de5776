// Costs per update of section 6 of docs/spec/order-books.md, each beside the bare structure of the same run.
#pragma once

namespace bookbench {

/// Prints the table. `dictionary` is the path of an RDMFieldDictionary.
void printFigures(const char* dictionary, int rounds);
/// Memory of `books` books of ten levels a side.
void printMemory(unsigned books);

}  // namespace bookbench
