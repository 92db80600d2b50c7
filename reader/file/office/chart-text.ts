import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { ignoreDamage, type OfficePackage } from './package.js';

/** Maximum points per series. */
const MAX_POINTS = 500;

interface Series {
  name: string;
  categories: string[];
  values: string[];
}

/** Returns the title and the cached data with a row per category. Empty if the chart is unreadable. */
export async function readChartText(office: OfficePackage, part: string): Promise<string> {
  const series: Series[] = [];
  let titles = '';
  let target: 'name' | 'categories' | 'values' | 'title' | null = null;
  let collecting = false;
  let point = 0;

  function open(name: string, attributes: XmlAttributes): void {
    if (name === 'c:ser') series.push({ name: '', categories: [], values: [] });
    else if (name === 'c:title') target = 'title';
    else if (name === 'c:tx' && target !== 'title') target = 'name';
    else if (name === 'c:cat' || name === 'c:xVal') target = 'categories';
    else if (name === 'c:val' || name === 'c:yVal') target = 'values';
    else if (name === 'c:pt') point = Number(attributes.get('idx') ?? 0);
    else if (name === 'c:v' || name === 'a:t') collecting = true;
  }

  function close(name: string): void {
    if (name === 'c:v' || name === 'a:t') collecting = false;
    else if (name === 'c:title') {
      titles += '\n';
      target = null;
    } else if (/^c:(tx|cat|xVal|val|yVal)$/.test(name) && target !== 'title') target = null;
  }

  function text(value: string): void {
    if (!collecting || target === null) return;
    if (target === 'title') titles += value;
    const current = series.at(-1);
    if (!current || target === 'title') return;
    if (target === 'name') current.name += value;
    else if (point >= 0 && point < MAX_POINTS)
      current[target][point] = (current[target][point] ?? '') + value;
  }

  await ignoreDamage(readPart(office.archive, part, { open, close, text }, office.limits));
  return [titles.trim(), seriesRows(series)].filter((block) => block !== '').join('\n');
}

function seriesRows(series: readonly Series[]): string {
  const points = series.reduce((most, one) => Math.max(most, one.values.length, one.categories.length), 0);
  const categories = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const rows = [['', ...series.map((one) => one.name)]];
  for (let i = 0; i < points; i++) {
    rows.push([categories[i] ?? '', ...series.map((one) => one.values[i] ?? '')]);
  }
  return rows
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => row.join(' | '))
    .join('\n');
}
