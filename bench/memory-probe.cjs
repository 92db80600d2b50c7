/*
 * Loaded into a measured process with `--expose-gc --require`. At SIGUSR2 it collects garbage and prints its memory in
 * bytes: resident, which keeps what earlier requests needed, and in use: V8's heap and the buffers outside of it.
 */
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.stdout.write(`memory ${rss} ${heapUsed + external}\n`);
});
