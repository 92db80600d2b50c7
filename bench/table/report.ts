import { median, shown } from '../figures.js';
import { ratios, type Verdict, withSpread } from './judge.js';
import type { Line } from './line.js';
import type { PartRun, Runs } from './results.js';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

const groups = (lines: readonly Line[]): Map<string, Line[]> => {
  const found = new Map<string, Line[]>();
  for (const line of lines) found.set(line.what, [...(found.get(line.what) ?? []), line]);
  return found;
};

/** Reports one part: every value, and the ratio of the first contender of each group to the others. */
export function section(title: string, { settings, lines }: PartRun, recorded = false): string {
  const rows = [...groups(lines)].flatMap(([what, group]) => {
    const [own] = group;
    return group.map((line, n) => {
      const of = n === 0 ? [] : ratios(own?.values ?? [], line.values);
      return row([
        n === 0 ? [what, line.unit].filter(Boolean).join(', ') : '',
        line.who,
        line.values.length === 0 ? '–' : withSpread(line.values),
        line.p99 === undefined || line.p99.length === 0 ? '' : shown(median(line.p99)),
        of.length === 0 ? '' : withSpread(of),
        line.note ?? '',
      ]);
    });
  });
  return [
    `### ${title}`,
    '',
    recorded ? `Recorded, no longer measured by \`npm run bench\`. ${settings}` : settings,
    '',
    row(['What', 'Who', 'Median (lowest–highest)', 'p99, ms', 'First ÷ this', '']),
    row(['---', '---', '---:', '---:', '---:', '---']),
    ...rows,
    '',
  ].join('\n');
}

const head = (verdicts: readonly Verdict[]): string => {
  const judged = verdicts.filter(({ met }) => met !== null);
  const met = judged.filter((verdict) => verdict.met).length;
  const rest = verdicts.length - judged.length;
  return `# Cadre beside its field

Written by \`npm run bench\`. Those compared run on one machine and one database server and take turns, seconds apart; the client runs there, too. So
ratios count, and not the numbers themselves. Each part is as it was last measured, with its time and the load of the machine. [Where the time
goes](../../docs/speed.md) says what the gains came from.

The floor is a server written for the measurement: bare Koa, prepared statements, no key, no checks. In Cadre, clients that read the same agent at the same moment share a statement, so such reads can be faster than the floor.

${met} of ${judged.length} goals that were measured are met${rest === 0 ? '' : `; ${rest} more have not been measured in full yet`}.
`;
};

function summary(verdicts: readonly Verdict[]): string {
  const found = verdicts.filter(({ met }) => met !== null);
  const unknown = new Set(verdicts.filter(({ met }) => met === null).map(({ goal }) => goal.title));
  const rows = found.map(({ goal, measured, met }, n) =>
    row([
      goal.title === found[n - 1]?.goal.title ? '' : goal.title,
      goal.beside ?? 'by itself',
      measured,
      goal.shown,
      met ? 'met' : '**missed**',
    ]),
  );
  return [
    '## In short',
    '',
    'Beside another, the number is Cadre divided by it. A goal with ≥ asks for more, one with ≤ for less. In brackets: the lowest and the highest round.',
    '',
    row(['What', 'Beside', 'Measured', 'Goal', '']),
    row(['---', '---', '---:', '---:', '---']),
    ...rows,
    '',
    ...(unknown.size === 0 ? [] : [`Not measured in full yet: ${[...unknown].join('; ')}.`, '']),
  ].join('\n');
}

export function markdown(
  parts: readonly { name: string; title: string; measure: unknown }[],
  runs: Runs,
  verdicts: readonly Verdict[],
): string {
  const sections = parts.flatMap(({ name, title, measure }) => {
    const run = runs.get(name);
    return run === undefined ? [] : [section(title, run, measure === null)];
  });
  return [head(verdicts), summary(verdicts), '## Every value', ...sections]
    .filter(Boolean)
    .map((text) => text.trimEnd())
    .join('\n\n')
    .concat('\n');
}
