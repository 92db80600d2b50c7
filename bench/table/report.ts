import { median, shown } from './figures.js';

/** One line of the table: what was measured, for one of those that were. */
export interface Line {
  /** What was measured; lines with the same belong together. */
  what: string;
  unit: string;
  /** `Cadre`, or a peer. */
  who: string;
  /** One for each round; empty for what could not be measured. */
  values: number[];
  /** Of the others in the same round: how Cadre's value relates to it is shown. */
  isBase?: boolean;
  /** Whatever there is to add: a 99th percentile, processor time, why there is no value. */
  note?: string;
}

export interface Table {
  lines: Line[];
  /** How it was measured. */
  settings: string[];
}

const groups = (lines: readonly Line[]): Map<string, Line[]> => {
  const found = new Map<string, Line[]>();
  for (const line of lines) found.set(line.what, [...(found.get(line.what) ?? []), line]);
  return found;
};

/** Cadre's values by those of the other, round by round. */
const ratios = (own: Line | undefined, other: Line): number[] =>
  own === undefined || own === other
    ? []
    : own.values.flatMap((value, round) => {
        const base = other.values[round];
        return base === undefined || base === 0 ? [] : [value / base];
      });

const spread = (values: readonly number[]): string =>
  values.length < 2 ? '' : ` (${shown(Math.min(...values))}–${shown(Math.max(...values))})`;

export function markdown({ lines, settings }: Table): string {
  const rows = [...groups(lines)].flatMap(([what, group]) => {
    const own = group.find(({ who }) => who === 'Cadre');
    return group.map((line, n) => {
      const of = ratios(own, line);
      return [
        n === 0 ? `${what}, ${line.unit}` : '',
        line.who,
        line.values.length === 0 ? '–' : `${shown(median(line.values))}${spread(line.values)}`,
        of.length === 0 ? '' : `${shown(median(of))}${spread(of)}`,
        line.note ?? '',
      ];
    });
  });
  const head = ['What', 'Who', 'Median (lowest–highest)', 'Cadre ÷ this', 'Beside'];
  return [
    '# Cadre beside its field',
    '',
    'Written by `npm run bench`. One machine, one database server, one run; those that are compared take turns in every round.',
    '',
    ...settings.map((setting) => `- ${setting}`),
    '',
    `| ${head.join(' | ')} |`,
    `| --- | --- | ---: | ---: | --- |`,
    ...rows.map((cells) => `| ${cells.join(' | ')} |`),
    '',
  ].join('\n');
}

const WIDTH = 900;
const BAR = 16;
const LABEL = 330;
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Bars by group; the longest of a group is as wide as the plot, for the groups have units of their own. */
export function svg({ lines }: Table): string {
  const parts: string[] = [];
  let y = 10;
  for (const [what, group] of groups(lines.filter(({ values }) => values.length > 0))) {
    y += 26;
    parts.push(`<text x="10" y="${y}" font-weight="bold">${escaped(`${what}, ${group[0]?.unit}`)}</text>`);
    const longest = Math.max(...group.map(({ values }) => median(values)));
    for (const { who, values } of group) {
      y += BAR + 6;
      const value = median(values);
      const width = Math.max(1, ((WIDTH - LABEL - 110) * value) / (longest || 1));
      const colour = who === 'Cadre' ? '#1f6feb' : '#9aa4b2';
      parts.push(
        `<text x="${LABEL - 8}" y="${y}" text-anchor="end">${escaped(who)}</text>`,
        `<rect x="${LABEL}" y="${y - BAR + 4}" width="${width.toFixed(1)}" height="${BAR}" fill="${colour}"/>`,
        `<text x="${LABEL + width + 6}" y="${y}">${shown(value)}</text>`,
      );
    }
  }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y + 20}" viewBox="0 0 ${WIDTH} ${y + 20}" font-family="sans-serif" font-size="13" fill="#1f2328">`,
    '<title>Cadre beside its field: medians, the longest bar of each group as wide as the plot</title>',
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    ...parts,
    '</svg>',
    '',
  ].join('\n');
}
