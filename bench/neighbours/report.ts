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
  met: boolean;
}

const HEAD = `# What a quiet tenant notices

Written by \`npm run bench:neighbours\`: each table is from the last run of that bad thing. The numbers are milliseconds, beside those of a calm time
just before; the ratio is that of the p99. \`elsewhere p99\` is what the quiet tenant notices while the same is done to another installation on the same
machine: that much comes from the shared machine, whatever the service does. Goal: no errors, no death with a heap of 384 MB, and a p99 of at most 5 times calm. Service, quiet tenant and
the one who does the bad thing share one machine.
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
    ...rows.map(({ what, calm, elsewhere, beside, ratio, errors, met }) =>
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
        met ? 'met' : '**missed**',
      ]),
    ),
    '',
  ].join('\n');
}

/** Puts the section in its place on the page; `names` is their order. What stands before the first one stays. */
export function writeSection(file: string, names: string[], name: string, text: string): void {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : HEAD;
  const [head = HEAD, ...old] = page.split(/^(?=## )/m);
  const sections = new Map(old.map((each) => [each.slice(3, each.indexOf('\n')), each.trimEnd()]));
  sections.set(name, text.trimEnd());
  const inOrder = names.flatMap((each) => sections.get(each) ?? []);
  writeFileSync(file, [head.trimEnd(), ...inOrder, ''].join('\n\n').replace(/\n+$/, '\n'));
}
