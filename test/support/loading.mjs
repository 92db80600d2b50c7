import asyncHooks from 'node:async_hooks';
import module from 'node:module';

// Preloaded by every process that tap starts (see `.taprc`).

// tap notes which files a test loads: a thread, a message per module, and the same in every process that the test
// starts, which is half of the suite's time. Only coverage reads the notes.
if (process.env._TAPJS_PROCESSINFO_COVERAGE_ === '0') {
  const isOfTap = (specifier) => String(specifier).includes('/@tapjs/');
  const { register } = module;
  module.register = (specifier, ...rest) => {
    if (!isOfTap(specifier)) register(specifier, ...rest);
  };
  globalThis[Symbol.for('@tapjs/processinfo.ProcessInfoNodeData')] = { files: [] };
  process.execArgv = process.execArgv.filter((argument) => !isOfTap(argument));

  // tap tracks every promise until it is collected, to name the test of an uncaught error: a sixth of the suite's time.
  // Without the hook such an error ends the process, which fails the file.
  const { createHook } = asyncHooks;
  asyncHooks.createHook = (callbacks) =>
    callbacks.destroy ? { enable() {}, disable() {} } : createHook(callbacks);
  module.syncBuiltinESMExports();

  delete process.env.NODE_OPTIONS;
}

// A test that was not compiled before, such as one named on the command line.
if (process.argv[1]?.endsWith('.ts')) {
  process.execArgv.push('--import=tsx');
  await import('tsx');
}
