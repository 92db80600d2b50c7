import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';

/** What the quiet tenant saw of one kind of request while one bad thing was done; milliseconds. */
export interface Row {
  what: string;
  calm: { p50: number; p99: number };
  /** While the same was done to another installation on this machine. */
  elsewhere: { p99: number };
  beside: { n: number; p50: number; p99: number };
  /** p99 beside ÷ p99 in calm. */
  ratio: number;
  errors: number;
  verdict: Verdict;
}

/** `machine`: missed, and the same harm done to another installation alone is too much. */
export type Verdict = 'met' | 'machine' | 'missed';

const HEAD = `# What a quiet tenant notices

Written by \`npm run bench:neighbours\`: each table is from the last run of that bad thing. The numbers are milliseconds, beside those of a calm time
just before; the ratio is that of the p99. Service, quiet tenant and the one who does the bad thing share one machine; the quiet tenant's web site runs
in the process of its client.
Goal: no errors, no death with a heap of 384 MB, and a p99 of at most 5 times calm.

\`elsewhere p99\` is the control: what the quiet tenant notices while the same is done to another installation on the same machine. So much comes from the
machine, whatever the service does. The last column says **met**, **missed**, or **machine**: missed, without errors, where the control alone is above
5 times calm. That is no success: such a row cannot tell whether the service would reach the goal on a machine with more processors.

Tables without the column \`elsewhere p99\` are older than the control. In all tables from before 2026-11-22T23Z, the pages of the quiet tenant were
served by the attacker's process: what they say of a page is too much where that process was busy. In these, uploads took more turns of the event loop,
too, and a file could wait for a thread that loaded the parsers of every type; and their last column does not know **machine**.

In every run up to 2026-11-22 there was no error and no death. Slow readers, silent connections, dripping bodies, slow sites and heavy files also
stayed within 5 times calm.
A p99 of some 50 to 300 requests is the slowest or third slowest of them; in calm it differs by half from run to run, and so does the ratio.

Where the goal is missed, and what is known about it:

- **200 bodies of 2 MiB.** The thread that answers spends a quarter of its time in SQLite, a fifth making values of bodies, and a seventh collecting
  garbage. With a profiler on, its event loop was late by 3 ms at the median and 55 ms at the 99th percentile. The longest pauses are full collections:
  39 of them took more than 10 ms within 12 s. A request waits for two or three of these pieces, a text for a few more.
- **Big settings.** Each change is answered with all settings, 256 kB; these answers take a third of the thread's time, SQLite a quarter. It does not
  rest: the event loop was late by 6 ms at the median, 25 ms at the 99th percentile. Requests take two or three such rounds. That part is the
  service's, though the control is above the goal for most rows, too.
- **Uploads that nobody registers.** A fifth of the thread's time goes into handing pieces of 64 kB to the disk, a fifth into SQLite's commits, which
  wait for the same disk.
- **Texts, retrains, deletion.** SQLite's driver is synchronous, so a turn with its commit is one piece of work on the one thread. These have not been
  profiled anew, and nothing has been measured with MySQL or MariaDB.
`;

const cells = (values: (string | number)[]): string => `| ${values.join(' | ')} |`;

/** One bad thing as a section of the page. */
export function section(name: string, died: boolean, rows: Row[]): string {
  const [load = 0] = loadavg();
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`;
  return [
    `## ${name}`,
    '',
    `${new Date().toISOString().slice(0, 16)}Z, Node ${process.version}, ${machine}, load ${load.toFixed(1)} at the end.${died ? ' **The service died.**' : ''}`,
    '',
    cells(['what', 'calm p50', 'calm p99', 'elsewhere p99', 'n', 'p50', 'p99', 'ratio', 'errors', 'goal']),
    cells(['---', ...Array(8).fill('---:'), '---']),
    ...rows.map(({ what, calm, elsewhere, beside, ratio, errors, verdict }) =>
      cells([
        what,
        calm.p50,
        calm.p99,
        elsewhere.p99,
        beside.n,
        beside.p50,
        beside.p99,
        ratio,
        errors,
        verdict === 'met' ? verdict : `**${verdict}**`,
      ]),
    ),
    '',
  ].join('\n');
}

/** Writes the page anew, with these sections in the place of older ones; `names` is their order. */
export function writePage(file: string, names: string[], measured: ReadonlyMap<string, string>): void {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const old = page.split(/^(?=## )/m).slice(1);
  const sections = new Map(old.map((each) => [each.slice(3, each.indexOf('\n')), each.trimEnd()]));
  for (const [name, text] of measured) sections.set(name, text.trimEnd());
  const inOrder = names.flatMap((each) => sections.get(each) ?? []);
  writeFileSync(file, [HEAD.trimEnd(), ...inOrder, ''].join('\n\n').replace(/\n+$/, '\n'));
}
