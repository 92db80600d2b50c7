import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { formatOfCode } from './number-format.js';
import { ignoreDamage, type OfficePackage } from './package.js';

/** Maximum points per series. */
const MAX_POINTS = 500;
/** Maximum levels of labels, such as year, quarter and month. */
const MAX_LEVELS = 8;

interface Series {
  name: string;
  /** Labels by level, the innermost first. */
  categories: string[][];
  values: string[];
  /** Chartex only: the data that the series shows. */
  dataId: string;
}

const newSeries = (): Series => ({ name: '', categories: [], values: [], dataId: '' });

const categoryParts = new Set(['c:cat', 'c:xVal', 'cx:strDim']);
const valueParts = new Set(['c:val', 'c:yVal', 'cx:numDim']);
const titleParts = new Set(['c:title', 'cx:title']);
const texts = new Set(['c:v', 'cx:v', 'cx:pt', 'a:t', 'c:formatCode']);

type Target = 'name' | 'categories' | 'values' | 'title' | null;

/**
 * Returns the title and the cached data with a row per category, dates and shares as the chart shows them. Reads charts
 * of ISO/IEC 29500 (`c`) and the newer kinds of 2014 (`cx`), such as waterfalls. Empty if the chart is unreadable.
 */
export async function readChartText(office: OfficePackage, part: string): Promise<string> {
  const series: Series[] = [];
  /** Chartex keeps data apart from the series. */
  const data = new Map<string, Series>();
  let current: Series | undefined;
  let titles = '';
  let target: Target = null;
  let collecting = '';
  let said = '';
  let point = 0;
  let level = 0;
  let code = '';
  let pointCode = '';
  let is1904 = false;
  /** Within the look of a text, which repeats the text. */
  let inLook = false;

  function open(name: string, attributes: XmlAttributes): void {
    if (name === 'c:ser' || name === 'cx:series') {
      current = newSeries();
      series.push(current);
    } else if (name === 'cx:data') {
      current = newSeries();
      data.set(attributes.get('id') ?? '', current);
    } else if (name === 'cx:dataId' && current) current.dataId = attributes.get('val') ?? '';
    else if (name === 'c:date1904') is1904 = !['0', 'false'].includes(attributes.get('val') ?? '1');
    else if (titleParts.has(name)) target = 'title';
    else if ((name === 'c:tx' || name === 'cx:tx') && target !== 'title') target = 'name';
    else if (categoryParts.has(name)) begin('categories');
    else if (valueParts.has(name)) begin('values');
    else if (name === 'c:lvl' || name === 'cx:lvl') {
      level++;
      code = attributes.get('formatCode') ?? code;
    } else if (name === 'c:pt' || name === 'cx:pt') {
      point = Number(attributes.get('idx') ?? 0);
      pointCode = attributes.get('formatCode') ?? '';
    }
    if (name === 'cx:txPr') inLook = true;
    if (texts.has(name) && !inLook) {
      collecting = name;
      said = '';
    }
  }

  function begin(part: 'categories' | 'values'): void {
    target = part;
    level = -1;
    code = '';
    pointCode = '';
  }

  function close(name: string): void {
    if (name === 'cx:txPr') inLook = false;
    if (name === collecting) {
      take(name);
      collecting = '';
    }
    if (titleParts.has(name)) {
      titles += '\n';
      target = null;
    } else if (
      (categoryParts.has(name) || valueParts.has(name) || name === 'c:tx' || name === 'cx:tx') &&
      target !== 'title'
    )
      target = null;
  }

  function take(name: string): void {
    if (name === 'c:formatCode') code = said;
    else if (target === 'title') titles += said;
    else if (target === 'name' && current) current.name += said;
    else if (current && target !== null && point >= 0 && point < MAX_POINTS) {
      const shown = formatted(said, pointCode || code, is1904);
      if (target === 'values') current.values[point] = shown;
      else if (level < MAX_LEVELS) {
        const labels = current.categories[Math.max(level, 0)] ?? [];
        labels[point] = shown;
        current.categories[Math.max(level, 0)] = labels;
      }
    }
  }

  const text = (value: string): void => {
    if (collecting !== '') said += value;
  };
  await ignoreDamage(readPart(office.archive, part, { open, close, text }, office.limits));
  const whole = series.map((one) => ({ ...one, ...dataOf(data.get(one.dataId)) }));
  return [titles.trim(), seriesRows(whole)].filter((block) => block !== '').join('\n');
}

const dataOf = (data: Series | undefined): Partial<Series> =>
  data === undefined ? {} : { categories: data.categories, values: data.values };

function formatted(value: string, code: string, is1904: boolean): string {
  const number = Number(value);
  return code === '' || value.trim() === '' || Number.isNaN(number)
    ? value
    : formatOfCode(code)(number, is1904);
}

function seriesRows(series: readonly Series[]): string {
  const levels = series.find((one) => one.categories.length > 0)?.categories ?? [];
  const points = series.reduce(
    (most, one) => Math.max(most, one.values.length, one.categories[0]?.length ?? 0),
    0,
  );
  const rows = [['', ...series.map((one) => one.name)]];
  for (let i = 0; i < points; i++) {
    rows.push([labelOf(levels, i), ...series.map((one) => one.values[i] ?? '')]);
  }
  return rows
    .filter((row) => row.some((cell) => cell !== ''))
    .map((row) => row.join(' | '))
    .join('\n');
}

/** Returns the labels of a point, the outermost first. An outer label stands only at its first point. */
function labelOf(levels: readonly (readonly string[])[], point: number): string {
  const [inner = [], ...outer] = levels;
  const above = outer.map((labels) => labels.slice(0, point + 1).findLast((label) => label !== undefined));
  return [...above.reverse(), inner[point]].filter((label) => label !== undefined && label !== '').join(', ');
}
