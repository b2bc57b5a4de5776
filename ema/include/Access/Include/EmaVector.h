// Growing array (ema-api.md 1.2).
#pragma once

#include "Access/Include/Common.h"

namespace refinitiv::ema::access {

/// Throws OmmOutOfRangeException, text "Passed in position is out of range."; keeps the exception out of the template.
[[noreturn]] EMA_ACCESS_API void throwPositionOutOfRange();

/// Array of values that grows to 5 places first and doubles afterwards. T needs a default constructor, copy assignment
/// and ==. There are no iterators; references are valid until the vector grows or is assigned. Not thread safe.
template <class T>
class EmaVector {
public:
    /// An empty vector with room for `capacity` values.
    EmaVector(UInt32 capacity = 0) : items_(capacity > 0 ? new T[capacity] : nullptr), capacity_(capacity) {}
    /// Copies the values, with the same capacity.
    EmaVector(const EmaVector<T>& other) : EmaVector(other.capacity_) { copyItems(other); }
    /// Copies the values; the memory is kept when it is large enough.
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

    bool empty() const { return size_ == 0; }      ///< true when size() is 0
    UInt32 size() const { return size_; }          ///< values that are there
    UInt32 capacity() const { return capacity_; }  ///< values that fit without growing
    /// The value at a position; throws OmmOutOfRangeException when index >= size().
    const T& operator[](UInt32 index) const { return items_[checked(index)]; }
    T& operator[](UInt32 index) { return items_[checked(index)]; }
    /// Position of the first equal value, or -1.
    Int64 getPositionOf(const T& value) const {
        for (UInt32 i = 0; i < size_; ++i)
            if (items_[i] == value) return i;
        return -1;
    }
    /// True when sizes and values are equal, in order.
    bool operator==(const EmaVector<T>& other) const {
        if (size_ != other.size_) return false;
        for (UInt32 i = 0; i < size_; ++i)
            if (!(items_[i] == other.items_[i])) return false;
        return true;
    }
    void clear() { size_ = 0; }  ///< size() becomes 0; neither memory nor old values are released
    /// Copies a value behind the last one; it may be one of this vector.
    void push_back(const T& entry) {
        if (size_ == capacity_) {
            const UInt32 more = capacity_ == 0 ? 5 : capacity_ * 2;
            T* bigger = new T[more];
            for (UInt32 i = 0; i < size_; ++i)
                bigger[i] = items_[i];
            bigger[size_] = entry;  // before the old items go: entry may be an old item
            delete[] items_;
            items_ = bigger;
            capacity_ = more;
        } else {
            items_[size_] = entry;
        }
        ++size_;
    }
    /// Moves the values behind `pos` forward by one; false when pos >= size().
    bool removePosition(UInt32 pos) {
        if (pos >= size_) return false;
        for (UInt32 i = pos; i + 1 < size_; ++i)
            items_[i] = items_[i + 1];
        --size_;
        return true;
    }
    /// Removes the first equal value; false when there is none.
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
