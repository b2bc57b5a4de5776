// Growing array (ema-api.md 1.2).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Throws OmmOutOfRangeException naming the reason; keeps the exception out of this template.
[[noreturn]] EMA_ACCESS_API void throwPositionOutOfRange();

/// Array that grows by doubling (first to 5). T needs a default constructor, copy assignment and ==. Not thread safe.
template <class T>
class EmaVector {
public:
    EmaVector(UInt32 capacity = 0) : items_(capacity > 0 ? new T[capacity] : nullptr), capacity_(capacity) {}
    EmaVector(const EmaVector<T>& other) : EmaVector(other.capacity_) { copyItems(other); }
    EmaVector<T>& operator=(const EmaVector<T>& other) {
        if (this == &other) return *this;
        if (capacity_ < other.size_) {
            T* bigger = new T[other.capacity_];
            delete[] items_;
            items_ = bigger;
            capacity_ = other.capacity_;
        }
        copyItems(other);
        return *this;
    }
    virtual ~EmaVector() { delete[] items_; }

    bool empty() const { return size_ == 0; }
    UInt32 size() const { return size_; }
    UInt32 capacity() const { return capacity_; }
    /// Throw OmmOutOfRangeException when index >= size().
    const T& operator[](UInt32 index) const { return items_[checked(index)]; }
    T& operator[](UInt32 index) { return items_[checked(index)]; }
    /// Position of the first equal entry, or -1.
    Int64 getPositionOf(const T& value) const {
        for (UInt32 i = 0; i < size_; ++i)
            if (items_[i] == value) return i;
        return -1;
    }
    bool operator==(const EmaVector<T>& other) const {
        if (size_ != other.size_) return false;
        for (UInt32 i = 0; i < size_; ++i)
            if (!(items_[i] == other.items_[i])) return false;
        return true;
    }
    void clear() { size_ = 0; }
    void push_back(const T& entry) {
        if (size_ == capacity_) {
            const UInt32 more = capacity_ == 0 ? 5 : capacity_ * 2;
            T* bigger = new T[more];
            for (UInt32 i = 0; i < size_; ++i)
                bigger[i] = items_[i];
            bigger[size_] = entry;  // before the old items go: entry may be one of them
            delete[] items_;
            items_ = bigger;
            capacity_ = more;
        } else {
            items_[size_] = entry;
        }
        ++size_;
    }
    /// False when pos >= size().
    bool removePosition(UInt32 pos) {
        if (pos >= size_) return false;
        for (UInt32 i = pos; i + 1 < size_; ++i)
            items_[i] = items_[i + 1];
        --size_;
        return true;
    }
    /// Removes the first equal entry; false when there is none.
    bool removeValue(const T& value) {
        const Int64 at = getPositionOf(value);
        return at >= 0 && removePosition(static_cast<UInt32>(at));
    }

private:
    UInt32 checked(UInt32 index) const {
        if (index >= size_) throwPositionOutOfRange();
        return index;
    }
    void copyItems(const EmaVector<T>& other) {
        for (UInt32 i = 0; i < other.size_; ++i)
            items_[i] = other.items_[i];
        size_ = other.size_;
    }

    T* items_ = nullptr;
    UInt32 capacity_ = 0;
    UInt32 size_ = 0;
};

}  // namespace refinitiv::ema::access
