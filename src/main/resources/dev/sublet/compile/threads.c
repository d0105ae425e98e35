
/* How often a thread looks for work before it sleeps, which takes longer than many operators. */
#ifdef __GNUC__
#define SPINS 200000
#define LOAD(x) __atomic_load_n(&(x), __ATOMIC_ACQUIRE)
#define STORE(x, value) __atomic_store_n(&(x), value, __ATOMIC_RELEASE)
#else
#define SPINS 0
#define LOAD(x) (x)
#define STORE(x, value) ((x) = (value))
#endif

/* A pool of threads, to which the caller belongs. */
static struct {
  pthread_mutex_t lock;
  pthread_cond_t begun;
  pthread_cond_t done;
  void (*task)(const void *call, int32_t part);
  const void *call;
  int32_t parts;   /* of the task */
  int32_t next;    /* the first part that nobody has taken */
  int32_t running; /* the parts that have not returned */
  uint32_t tasks;  /* the number of tasks so far */
} pool = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .begun = PTHREAD_COND_INITIALIZER,
    .done = PTHREAD_COND_INITIALIZER,
};

/* Runs parts until none is left. The caller has locked the pool. */
static void take_parts(void) {
  while (pool.next < pool.parts) {
    const int32_t part = pool.next++;
    pthread_mutex_unlock(&pool.lock);
    pool.task(pool.call, part);
    pthread_mutex_lock(&pool.lock);
    STORE(pool.running, pool.running - 1);
    if (pool.running == 0) pthread_cond_signal(&pool.done);
  }
}

static void *work(void *unused) {
  (void)unused;
  uint32_t seen = 0;
  for (;;) {
    for (int i = 0; i < SPINS && LOAD(pool.tasks) == seen; i++) {
    }
    pthread_mutex_lock(&pool.lock);
    while (pool.tasks == seen) pthread_cond_wait(&pool.begun, &pool.lock);
    seen = pool.tasks;
    take_parts();
    pthread_mutex_unlock(&pool.lock);
  }
  return NULL;
}

static void run_parts(
    void *context, void (*task)(const void *call, int32_t part), const void *call, int32_t parts) {
  (void)context;
  pthread_mutex_lock(&pool.lock);
  pool.task = task;
  pool.call = call;
  pool.parts = parts;
  pool.next = 0;
  pool.running = parts;
  STORE(pool.tasks, pool.tasks + 1);
  pthread_cond_broadcast(&pool.begun);
  take_parts();
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < SPINS && LOAD(pool.running) > 0; i++) {
  }
  pthread_mutex_lock(&pool.lock);
  while (pool.running > 0) pthread_cond_wait(&pool.done, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
}

static int run(void *arena, const struct @name@_inputs *in, const struct @name@_outputs *out) {
  static int started = 1;
  for (; started < @NAME@_THREADS; started++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) fail("threads", "cannot be started");
  }
  const struct @name@_threads threads = {run_parts, NULL};
  return @name@_run_threads(arena, in, out, &threads);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}
