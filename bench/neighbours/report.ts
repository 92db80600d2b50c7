import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { findings } from './findings.js';

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
Goal: no errors, no death with a heap of 384 MB, and a p99 of at most 50 ms or 10 times calm.

\`elsewhere p99\` is the control: what the quiet tenant notices while the same is done to another installation on the same machine. So much comes from the
machine, whatever the service does. The last column says **met**, **missed**, or **machine**: missed, without errors, where the control alone is above
the goal. That is no success: such a row cannot tell whether the service would reach the goal on a machine with more processors.

A table says for how long it was measured. A p99 is the tenth slowest of 1,000 requests and the
slowest of 100; in calm it differs by half from run to run, and so does the ratio.

What stands between each bad thing and its neighbours, and what is left of it:

${findings.map(({ badThing, finding }) => `- **${badThing}.** ${finding}`).join('\n')}
`;

const cells = (values: (string | number)[]): string => `| ${values.join(' | ')} |`;

/** One bad thing as a section of the page; it was measured for so many milliseconds of calm, and of the bad thing. */
export function section(
  name: string,
  { died, calmMs, badMs }: { died: boolean; calmMs: number; badMs: number },
  rows: Row[],
): string {
  const [load = 0] = loadavg();
  const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}`;
  return [
    `## ${name}`,
    '',
    `${new Date().toISOString().slice(0, 16)}Z, Node ${process.version}, ${machine}, ${calmMs / 1000} s of calm, ${badMs / 1000} s of the bad thing, load ${load.toFixed(1)} at the end.${died ? ' **The service died.**' : ''}`,
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
