/* The mesh scenario: a wall clock that is stepped while a program runs. Loaded in front of the program's libraries
 * (LD_PRELOAD); the file that EMISSARY_CLOCK_STEP names has the step in nanoseconds, 8 bytes, and may change at any time.
 * Clocks that are no time of day are left alone. Waits until a time of day, as the timers of libnats have, go by the
 * stepped clock too, and follow a step within 50 ms; semaphores and locks with a time do not. Only for tests. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t no_step = 0;
static const volatile int64_t* step_of_file = &no_step;
static int (*real_clock_gettime)(clockid_t, struct timespec*);

__attribute__((constructor)) static void begin(void) {
    const char* const name = getenv("EMISSARY_CLOCK_STEP");
    const int fd = name != NULL ? open(name, O_RDONLY | O_CLOEXEC) : -1;
    void* const at = fd >= 0 ? mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0) : MAP_FAILED;
    if (at != MAP_FAILED) step_of_file = (const volatile int64_t*)at;
    if (fd >= 0) close(fd);
}

int clock_gettime(clockid_t id, struct timespec* t) {
    if (real_clock_gettime == NULL)
        real_clock_gettime = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
    const int result = real_clock_gettime(id, t);
    if (result != 0 || (id != CLOCK_REALTIME && id != CLOCK_REALTIME_COARSE)) return result;
    const int64_t ns = (int64_t)t->tv_sec * 1000000000 + t->tv_nsec + *step_of_file;
    t->tv_sec = ns / 1000000000;
    t->tv_nsec = ns % 1000000000;
    return 0;
}

int pthread_cond_timedwait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex,
                           const struct timespec* restrict until) {
    static int (*real)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
    static const int64_t second = 1000000000, slice = 50000000;
    if (real == NULL) {
        void* at = dlvsym(RTLD_NEXT, "pthread_cond_timedwait", "GLIBC_2.3.2"); /* not the one for old programs */
        if (at == NULL) at = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
        real = (int (*)(pthread_cond_t*, pthread_mutex_t*, const struct timespec*))at;
    }
    if (until->tv_sec < second) return real(condition, mutex, until); /* of the monotonic clock: no time since 2001 */
    for (;;) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        int64_t left = ((int64_t)until->tv_sec - now.tv_sec) * second + until->tv_nsec - now.tv_nsec;
        if (left <= 0) return ETIMEDOUT;
        if (left > slice) left = slice;
        const int64_t at = (int64_t)now.tv_sec * second + now.tv_nsec - *step_of_file + left;
        const struct timespec next = {at / second, at % second};
        const int result = real(condition, mutex, &next);
        if (result != ETIMEDOUT) return result;
    }
}

int gettimeofday(struct timeval* restrict t, void* restrict zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    t->tv_sec = now.tv_sec;
    t->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t* to) {
    struct timespec now;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return (time_t)-1;
    if (to != NULL) *to = now.tv_sec;
    return now.tv_sec;
}
