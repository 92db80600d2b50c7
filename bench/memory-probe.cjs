/*
 * Loaded into a measured process with `--expose-gc --require`. At SIGUSR2 it collects garbage and prints its memory in
 * bytes: resident, and without the free part of V8's heap, which earlier requests leave behind.
 */
process.on('SIGUSR2', () => {
  globalThis.gc();
  globalThis.gc();
  const { rss, heapUsed, heapTotal } = process.memoryUsage();
  process.stdout.write(`memory ${rss} ${rss - heapTotal + heapUsed}\n`);
});
