import type { Verdict } from './judge.js';

const WIDTH = 940;
const LABEL = 520;
const ROW = 20;
const TOP = 44;
/** Of the goal; what is beyond has an arrow. */
const MOST = 2;
const COLOURS = { met: '#1f6feb', missed: '#d9822b', line: '#57606a' };

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const short = (text: string): string => text.replace(/[:(].*/, '').trim();

/** A bar for each goal: how much of it is reached. The line is the goal. */
export function plot(verdicts: readonly Verdict[]): string {
  const rows = verdicts.filter(({ reached }) => reached !== null);
  const scale = (WIDTH - LABEL - 150) / MOST;
  const height = TOP + rows.length * ROW + 14;
  const bars = rows.flatMap(({ goal, measured, reached, met }, n) => {
    const y = TOP + n * ROW;
    const value = Math.min(MOST, reached ?? 0);
    const label = goal.beside === undefined ? goal.title : `${goal.title} ÷ ${short(goal.beside)}`;
    const text = `${measured.replace(/ \(.*\)/, '')}, goal ${goal.shown}`;
    return [
      `<text x="${LABEL - 10}" y="${y + 13}" text-anchor="end">${escaped(label)}</text>`,
      `<rect x="${LABEL}" y="${y + 3}" width="${Math.max(1, value * scale).toFixed(1)}" height="${ROW - 7}" rx="2" fill="${met ? COLOURS.met : COLOURS.missed}"/>`,
      `<text x="${(LABEL + value * scale + 6).toFixed(1)}" y="${y + 13}" fill="${COLOURS.line}">${escaped((reached ?? 0) > MOST ? `› ${text}` : text)}</text>`,
    ];
  });
  const goalX = LABEL + scale;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12" fill="#1f2328">`,
    '<title>How far each goal of npm run bench is reached: bars as long as the line or longer have met it</title>',
    '<rect width="100%" height="100%" fill="#ffffff"/>',
    `<text x="${goalX}" y="18" text-anchor="middle" font-weight="bold">goal</text>`,
    `<text x="${LABEL}" y="18" font-weight="bold" fill="${COLOURS.missed}">missed</text>`,
    `<text x="${goalX + 40}" y="18" font-weight="bold" fill="${COLOURS.met}">met</text>`,
    ...bars,
    `<line x1="${goalX}" y1="26" x2="${goalX}" y2="${height - 8}" stroke="${COLOURS.line}" stroke-dasharray="3 3"/>`,
    '</svg>',
    '',
  ].join('\n');
}
