import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Parser, type Result } from 'tap-parser';
import { compileTests } from './support/compile.js';
import { projectFolder } from './support/project-folder.js';
import { databasesOf, filesOf, isReal, type Tier } from './support/tiers.js';

/*
 * Runs the tests: `node --import=tsx test/run.ts [--tier=own|real] [part of a path …]`. Compiles them, divides the files
 * of the tier among processes, prints a line for each file and the failed checks at the end. The exit code is 1 if one
 * failed.
 */

/** Files that share a process. Loading the service once for more of them saves little. */
const FILES_OF_PROCESS = 8;
/** A process is ended if none of its files ends in this time. */
const SILENCE_MS = 900_000;

interface Failure {
  file: string;
  /** Names of the test and of its parents. */
  name: string;
  diagnosis: unknown;
}

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

const { values, positionals } = parseArgs({
  options: { tier: { type: 'string', default: 'own' }, jobs: { type: 'string' } },
  allowPositionals: true,
});
const tier = values.tier as Tier;
// One more than the processors, because tests also wait.
const jobs = Number(values.jobs ?? availableParallelism() + 1);
const files = filesOf(tier).filter(
  (file) => positionals.length === 0 || positionals.some((part) => file.includes(part)),
);

const all: Counts = { passed: 0, failed: 0, skipped: 0 };
const failures: Failure[] = [];
const skipped: string[] = [];

/** Counts the checks of a file as they arrive, and prints its result when it ends. */
function followFile(of: Parser): void {
  const file = of.name;
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  function check({ ok, skip, name, fullname, diag, closingTestPoint }: Result): void {
    if (skip) {
      counts.skipped += 1;
      skipped.push(`${file}: ${name} (${skip === true ? 'without a reason' : skip})`);
      // The result of a subtest follows those of its checks.
    } else if (closingTestPoint) return;
    else if (ok) counts.passed += 1;
    else {
      counts.failed += 1;
      failures.push({ file, name: [fullname, name].join(' > '), diagnosis: diag });
    }
  }
  const watch = (parser: Parser): void => void parser.on('child', watch).on('assert', check);
  watch(of);
  of.on('complete', () => {
    for (const key of ['passed', 'failed', 'skipped'] as const) all[key] += counts[key];
  });
}

async function runProcess(some: string[]): Promise<void> {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist-test/test/support/run-files.js'], {
    cwd: projectFolder,
    env: {
      ...process.env,
      TEST_FILES: some.join(' '),
      TEST_DATABASES: databasesOf(tier, some),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const parser = new Parser();
  const ended: string[] = [];
  const watchdog = setTimeout(() => child.kill('SIGKILL'), SILENCE_MS);
  parser.on('child', followFile).on('assert', ({ name, ok, time }: Result) => {
    console.log(`${ok ? 'ok' : 'FAILED'} ${name} (${((time ?? 0) / 1000).toFixed(1)} s)`);
    ended.push(name);
    watchdog.refresh();
  });
  child.stdout.pipe(parser);
  const [exit] = await Promise.all([
    new Promise<number | string>((resolve) => {
      child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
    }),
    new Promise((resolve) => parser.once('complete', resolve)),
  ]);
  clearTimeout(watchdog);
  if (exit !== 0 && !failures.some(({ file }) => some.includes(file))) {
    all.failed += 1;
    const file = some.find((one) => !ended.includes(one)) ?? some.join(', ');
    failures.push({ file, name: `the process ended with ${exit}`, diagnosis: null });
  }
}

/** Tests with other processes share theirs with no other file, because they take long. */
function divided(): string[][] {
  const alone = files.filter(isReal).map((file) => [file]);
  const rest = files.filter((file) => !isReal(file));
  const shared = Array.from({ length: Math.ceil(rest.length / FILES_OF_PROCESS) }, (_, n) =>
    rest.slice(n * FILES_OF_PROCESS, (n + 1) * FILES_OF_PROCESS),
  );
  return [...alone, ...shared];
}

if (!['own', 'real'].includes(tier) || !(jobs >= 1)) throw new Error('usage: --tier=own|real --jobs=N');
const startedAt = Date.now();
await compileTests();
const queue = divided();
await Promise.all(
  Array.from({ length: jobs }, async () => {
    for (let some = queue.shift(); some; some = queue.shift()) await runProcess(some);
  }),
);

for (const what of skipped) console.log(`skipped ${what}`);
for (const { file, name, diagnosis } of failures)
  console.log(`\nFAILED ${file}\n  ${name}\n${JSON.stringify(diagnosis, null, 2)}`);
// Once more at the end, because a log may keep its last lines only.
for (const { file, name } of failures) console.log(`FAILED ${file}: ${name}`);
console.log(`\n${files.length} files in ${Math.round((Date.now() - startedAt) / 1000)} s`);
if (tier === 'own') console.log('Tests with other processes and servers: npm run test:all');
console.log(`${all.passed} passed, ${all.failed} failed, ${all.skipped} skipped`);
process.exitCode = all.failed > 0 || all.passed === 0 ? 1 : 0;
