import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';

/*
 * What large bodies do to a heap of 384 MB: something that lives, and texts of 2 MiB that nobody keeps. Answers how
 * many full collections began for 600 MB of them.
 */
const collections = async (before: string): Promise<number> => {
  const script = `
    ${before}
    const { PerformanceObserver, constants } = await import('node:perf_hooks');
    const { setImmediate: round } = await import('node:timers/promises');
    let full = 0;
    new PerformanceObserver((list) => {
      for (const { detail } of list.getEntries()) if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) full += 1;
    }).observe({ entryTypes: ['gc'] });
    globalThis.lives = Array.from({ length: 400_000 }, (_, n) => ({ n, name: 'agent ' + n }));
    globalThis.gc();
    await round();
    const first = full;
    for (let n = 0; n < 300; n += 1) {
      globalThis.body = JSON.parse('"' + 'y'.repeat(2 * 1024 * 1024) + n + '"');
      await round();
    }
    await round();
    console.log(full - first);
  `;
  const options = ['--max-old-space-size=384', '--expose-gc', '--input-type=module'];
  const { stdout } = await promisify(execFile)(process.execPath, [...options, '--eval', script]);
  return Number(stdout);
};

t.test('the heap grows further between two full collections than V8 lets a small heap grow', async (t) => {
  const { href } = new URL('../../processes/heap-growth.js', import.meta.url);
  const asIs = await collections('');
  const ours = await collections(`(await import(${JSON.stringify(href)})).collectLessOften();`);
  t.ok(ours > 0, 'garbage is collected');
  t.ok(ours * 1.5 <= asIs, `${ours} full collections, and ${asIs} without`);
});
