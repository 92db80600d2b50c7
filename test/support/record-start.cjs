/*
 * Required before main.ts: writes what a start took to the file that RECORD_START names, when the process ends. `packages`: those of which a file was
 * loaded; `compiled`: programs made from texts, which is what becomes of schemas; `compressed`: bytes.
 */
const { writeFileSync } = require('node:fs');
const Module = require('node:module');
const { isMainThread } = require('node:worker_threads');
const zlib = require('node:zlib');

if (isMainThread) {
  const packages = new Set();
  let compiled = 0;
  let compressed = 0;
  const { _compile } = Module.prototype;
  Module.prototype._compile = function (source, file) {
    const [, name] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    if (name !== undefined) packages.add(name);
    return _compile.call(this, source, file);
  };
  globalThis.Function = new Proxy(Function, {
    construct(target, words) {
      compiled += 1;
      return Reflect.construct(target, words);
    },
  });
  for (const name of ['gzip', 'gzipSync']) {
    const compress = zlib[name];
    zlib[name] = (bytes, ...more) => {
      compressed += bytes.length;
      return compress(bytes, ...more);
    };
  }
  Module.syncBuiltinESMExports();
  process.on('exit', () =>
    writeFileSync(
      process.env.RECORD_START,
      JSON.stringify({ packages: [...packages], compiled, compressed }),
    ),
  );
}
