// Preloaded into a process: makes the n-th allocation by one library fail, or the n-th start of a thread; that one only,
// or all from there on.
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <new>

namespace {

struct Failure {
    std::atomic<long> countdown{0};  // calls up to the first that fails; 0: none does
    std::atomic<bool> is_lasting{false};
    std::atomic<long> n_failed{0};

    bool is_due() noexcept {
        for (long left = countdown; left > 0;) {
            if (!countdown.compare_exchange_weak(left, left > 1 ? left - 1 : is_lasting ? 1 : 0)) continue;
            if (left > 1) return false;
            ++n_failed;
            return true;
        }
        return false;
    }
};

Failure allocations, threads;
std::uintptr_t library_begin, library_end;

int find_library(dl_phdr_info* info, std::size_t, void* path) {
    if (!std::strstr(info->dlpi_name, static_cast<const char*>(path))) return 0;
    library_begin = UINTPTR_MAX;
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        if (info->dlpi_phdr[k].p_type != PT_LOAD) continue;
        const std::uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[k].p_vaddr;
        if (begin < library_begin) library_begin = begin;
        if (begin + info->dlpi_phdr[k].p_memsz > library_end) library_end = begin + info->dlpi_phdr[k].p_memsz;
    }
    return 1;
}

bool fails(void* caller) noexcept {
    const auto place = reinterpret_cast<std::uintptr_t>(caller);
    return library_begin <= place && place < library_end && allocations.is_due();
}

template <class Call>
Call next(const char* name) noexcept {
    return reinterpret_cast<Call>(dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {
void watch(const char* path) { dl_iterate_phdr(find_library, const_cast<char*>(path)); }
void arm_allocations(long n, bool is_lasting) {
    allocations.is_lasting = is_lasting, allocations.n_failed = 0, allocations.countdown = n;
}
void arm_threads(long n, bool is_lasting) {
    threads.is_lasting = is_lasting, threads.n_failed = 0, threads.countdown = n;
}
long disarm() {
    allocations.countdown = threads.countdown = 0;
    return allocations.n_failed + threads.n_failed;
}

// Of the interpreter, where it is a library.
void* PyMem_Malloc(std::size_t size) {
    static const auto allocate = next<void* (*)(std::size_t)>("PyMem_Malloc");
    return fails(__builtin_return_address(0)) ? nullptr : allocate(size);
}

void* PyObject_Malloc(std::size_t size) {
    static const auto allocate = next<void* (*)(std::size_t)>("PyObject_Malloc");
    return fails(__builtin_return_address(0)) ? nullptr : allocate(size);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*run)(void*), void* argument) {
    static const auto start = next<decltype(&pthread_create)>("pthread_create");
    return threads.is_due() ? EAGAIN : start(thread, attributes, run, argument);
}
}

void* operator new(std::size_t size) {
    static const auto allocate = next<void* (*)(std::size_t)>("_Znwm");
    if (fails(__builtin_return_address(0))) throw std::bad_alloc();
    return allocate(size);
}

void* operator new[](std::size_t size) {
    static const auto allocate = next<void* (*)(std::size_t)>("_Znam");
    if (fails(__builtin_return_address(0))) throw std::bad_alloc();
    return allocate(size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
    static const auto allocate = next<void* (*)(std::size_t, std::align_val_t)>("_ZnwmSt11align_val_t");
    if (fails(__builtin_return_address(0))) throw std::bad_alloc();
    return allocate(size, alignment);
}

void* operator new[](std::size_t size, std::align_val_t alignment) {
    static const auto allocate = next<void* (*)(std::size_t, std::align_val_t)>("_ZnamSt11align_val_t");
    if (fails(__builtin_return_address(0))) throw std::bad_alloc();
    return allocate(size, alignment);
}

void* operator new(std::size_t size, const std::nothrow_t& tag) noexcept {
    static const auto allocate = next<void* (*)(std::size_t, const std::nothrow_t&)>("_ZnwmRKSt9nothrow_t");
    return fails(__builtin_return_address(0)) ? nullptr : allocate(size, tag);
}

void* operator new[](std::size_t size, const std::nothrow_t& tag) noexcept {
    static const auto allocate = next<void* (*)(std::size_t, const std::nothrow_t&)>("_ZnamRKSt9nothrow_t");
    return fails(__builtin_return_address(0)) ? nullptr : allocate(size, tag);
}
