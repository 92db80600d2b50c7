import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';
import { type Axis, axisKinds, codesOf } from './chart-axes.js';
import { formatOfCode } from './number-format.js';
import { ignoreDamage, type OfficePackage } from './package.js';

/** Maximum points per series. */
const MAX_POINTS = 500;
/** Maximum levels of labels, such as year, quarter and month. */
const MAX_LEVELS = 8;
/** Maximum axes per series: categories, values and depth. */
const MAX_AXES = 3;

/** A stored value with the code of its format. */
interface Point {
  value: string;
  code: string;
}

interface Series {
  name: string;
  /** Labels by level, the innermost first. */
  categories: Point[][];
  values: Point[];
  /** Sizes of bubbles. */
  sizes: Point[];
  /** Format of the labels at the points. */
  labelCode: string;
  /** Numbers of the axes. */
  axisIds: readonly string[];
  /** Chartex only: the data that the series shows. */
  dataId: string;
}

const newSeries = (axisIds: readonly string[] = []): Series => ({
  name: '',
  categories: [],
  values: [],
  sizes: [],
  labelCode: '',
  axisIds,
  dataId: '',
});

/** Parts with points. Chartex has both kinds of values for both, and names them by their type. */
const partsOfPoints: Readonly<Record<string, 'categories' | 'values' | 'sizes'>> = {
  'c:cat': 'categories',
  'c:xVal': 'categories',
  'cx:strDim': 'categories',
  'c:val': 'values',
  'c:yVal': 'values',
  'cx:numDim': 'values',
  'c:bubbleSize': 'sizes',
};
const titleParts = new Set(['c:title', 'cx:title']);
const texts = new Set(['c:v', 'cx:v', 'cx:pt', 'a:t', 'c:formatCode']);
const labelParts = new Set(['c:dLbls', 'cx:dataLabels']);
/** Series with the same axes, such as `c:barChart`. */
const group = /^c:\w+Chart$/;

type Target = 'name' | 'categories' | 'values' | 'sizes' | 'title' | null;

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
  let inLabels = false;
  /** The open axis. */
  let axis: Axis | undefined;
  const axes = new Map<string, Axis>();
  /** Numbers of the axes of the last group. They follow its series. */
  let axisIds: string[] = [];
  /** Number of open extensions, which repeat filtered series and ranges of labels. */
  let extensions = 0;
  /** Within the look of a text, which repeats the text. */
  let inLook = false;

  function open(name: string, attributes: XmlAttributes): void {
    if (name === 'c:extLst' || name === 'cx:extLst') extensions++;
    if (extensions > 0) return;
    if (name === 'c:numFmt' || name === 'cx:numFmt') readFormat(attributes);
    else if (labelParts.has(name)) inLabels = true;
    else if (name === 'c:showPercent') readLabelsOfShares(attributes);
    else if (axisKinds.has(name)) axis = { kind: name, position: '', code: '' };
    else if (name === 'c:axId') readAxisId(attributes.get('val') ?? '');
    else if (name === 'c:axPos' && axis) axis.position = attributes.get('val') ?? '';
    else if (group.test(name)) axisIds = [];
    if (name === 'c:ser' || name === 'cx:series') {
      current = newSeries(axisIds);
      series.push(current);
    } else if (name === 'cx:data') {
      current = newSeries();
      data.set(attributes.get('id') ?? '', current);
    } else if (name === 'cx:dataId' && current) current.dataId = attributes.get('val') ?? '';
    else if (name === 'c:date1904') is1904 = !['0', 'false'].includes(attributes.get('val') ?? '1');
    else if (titleParts.has(name)) target = 'title';
    else if ((name === 'c:tx' || name === 'cx:tx') && target !== 'title') target = 'name';
    else if (partsOfPoints[name] !== undefined)
      begin(attributes.get('type') === 'cat' ? 'categories' : partsOfPoints[name]);
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

  /** Reads a format that replaces the one of the sheet. */
  function readFormat(attributes: XmlAttributes): void {
    const own = attributes.get('formatCode') ?? '';
    if (!['0', 'false'].includes(attributes.get('sourceLinked') ?? '0')) return;
    if (axis) axis.code ||= own;
    else if (inLabels && current) current.labelCode ||= own;
  }

  /** Labels of shares have the format of the shares, not of the values. */
  function readLabelsOfShares(attributes: XmlAttributes): void {
    if (current && !['0', 'false'].includes(attributes.get('val') ?? '1')) current.labelCode = '';
  }

  function readAxisId(id: string): void {
    if (axis) axes.set(id, axis);
    else if (axisIds.length < MAX_AXES) axisIds.push(id);
  }

  function begin(part: 'categories' | 'values' | 'sizes'): void {
    target = part;
    level = -1;
    code = '';
    pointCode = '';
  }

  function close(name: string): void {
    if (name === 'c:extLst' || name === 'cx:extLst') extensions--;
    if (extensions > 0) return;
    if (labelParts.has(name)) inLabels = false;
    if (axisKinds.has(name)) axis = undefined;
    if (name === 'cx:txPr') inLook = false;
    if (name === collecting) {
      take(name);
      collecting = '';
    }
    if (titleParts.has(name)) {
      titles += '\n';
      target = null;
    } else if (
      (partsOfPoints[name] !== undefined || name === 'c:tx' || name === 'cx:tx') &&
      target !== 'title'
    )
      target = null;
  }

  function take(name: string): void {
    if (name === 'c:formatCode') code = said;
    else if (target === 'title') titles += said;
    else if (target === 'name' && current) current.name += said;
    else if (current && target !== null && point >= 0 && point < MAX_POINTS) {
      const shown = { value: said, code: pointCode || code };
      if (target === 'values' || target === 'sizes') current[target][point] = shown;
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
  const all = series.map((one) => ({
    ...one,
    ...dataOf(data.get(one.dataId)),
    codes: codesOf(one.axisIds.flatMap((id) => axes.get(id) ?? [])),
  }));
  const labels = all.find((one) => one.categories.length > 0);
  const show = (code: string) => (point: Point) => shown(point, code, is1904);
  const rows = rowsOf(
    labels?.categories.map((level) => level.map(show(labels.codes.categories))) ?? [],
    all.flatMap(({ name, values, sizes, labelCode, codes }) => [
      { name, values: values.map(show(labelCode || codes.values)) },
      ...(sizes.length > 0 ? [{ name: '', values: sizes.map(show('')) }] : []),
    ]),
  );
  return [titles.trim(), tableOf(rows)].filter((block) => block !== '').join('\n\n');
}

const dataOf = (data: Series | undefined): Partial<Series> =>
  data === undefined ? {} : { categories: data.categories, values: data.values };

/** Returns a value in its format, or in that of its axis if the sheet has none for it. */
function shown({ value, code }: Point, axisCode: string, is1904: boolean): string {
  const number = Number(value);
  const own = /^(?:General)?$/i.test(code) ? axisCode : code;
  return own === '' || value.trim() === '' || Number.isNaN(number)
    ? value
    : formatOfCode(own)(number, is1904);
}

/** Returns the head and a row for each category, without empty rows. */
function rowsOf(
  levels: readonly (readonly string[])[],
  columns: readonly { name: string; values: readonly string[] }[],
): string[][] {
  const points = columns.reduce((most, { values }) => Math.max(most, values.length), levels[0]?.length ?? 0);
  const rows = [['', ...columns.map(({ name }) => name)]];
  for (let i = 0; i < points; i++)
    rows.push([labelOf(levels, i), ...columns.map(({ values }) => values[i] ?? '')]);
  return rows.filter((row) => row.some((cell) => cell !== ''));
}

/** Returns the rows as a table. Without outer bars, the empty first cell of the head would be lost. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head, ...others] = rows.map(
    (row) => `| ${row.map((cell) => cell.replace(/\s+/g, ' ').trim().replaceAll('|', '\\|')).join(' | ')} |`,
  );
  if (head === undefined) return '';
  const hasNames = rows[0]?.[0] === '';
  const border = `|${' --- |'.repeat(rows[0]?.length ?? 0)}`;
  return (hasNames ? [head, border, ...others] : [head, ...others]).join('\n');
}

/** Returns the labels of a point, the outermost first. An outer label stands only at its first point. */
function labelOf(levels: readonly (readonly string[])[], point: number): string {
  const [inner = [], ...outer] = levels;
  const above = outer.map((labels) => labels.slice(0, point + 1).findLast((label) => label !== undefined));
  return [...above.reverse(), inner[point]].filter((label) => label !== undefined && label !== '').join(', ');
}
