import { getResolvedPDFJS } from 'unpdf';
import { identity, type Matrix, multiplied } from '../open/matrix.js';
import type { PdfPage } from '../open/open-pdf.js';

/** A straight line parallel to an edge of the page: horizontal at a height, or vertical at a position. */
export interface Rule {
  at: number;
  from: number;
  to: number;
}

export interface Rules {
  across: Rule[];
  upright: Rule[];
}

/** A batch of a page's drawing operations. */
interface Operations {
  fnArray: readonly number[];
  argsArray: readonly unknown[];
}

interface MessageHandler {
  sendWithStream(name: 'GetOperatorList', data: object): ReadableStream<Operations>;
}

type Point = readonly [x: number, y: number];

/** A rectangle of at most this thickness is a line, in points. */
const MAX_THICKNESS = 3;
/** Minimum length of a line, in points. Shorter lines are dots and parts of letters. */
const MIN_LENGTH = 4;
/** Maximum deviation from a line parallel to a page edge, in points. */
const MAX_SLOPE = 0.5;
/** A page with more paths is a drawing. */
const MAX_PATHS = 50_000;
/** Intent flags of pdf.js: as displayed, without annotations, operations only. */
const OPERATIONS_ONLY = 0x02 | 0x40 | 0x100;
/** Path operations of pdf.js, which are followed by their coordinates. */
const MOVE = 0;
const LINE = 1;
const CLOSE = 4;
const pathNumbers = [2, 2, 6, 4, 0];

/** Returns the straight lines of a page: strokes, thin rectangles and edges of filled rectangles. */
export async function rulesOf(page: PdfPage): Promise<Rules> {
  const { OPS } = await getResolvedPDFJS();
  const strokes = new Set([OPS.stroke, OPS.closeStroke]);
  const fills = new Set([OPS.fill, OPS.eoFill, OPS.rawFillPath]);
  const both = new Set([OPS.fillStroke, OPS.eoFillStroke, OPS.closeFillStroke, OPS.closeEOFillStroke]);
  const painted = new Set([...strokes, ...fills, ...both]);
  const rules: Rules = { across: [], upright: [] };
  const outer: Matrix[] = [];
  let matrix = identity;
  let paths = 0;
  const reader = operationsOf(page).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return rules;
    const { fnArray, argsArray } = value;
    for (const [i, operation] of fnArray.entries()) {
      const values: unknown = argsArray[i];
      if (operation === OPS.save) outer.push(matrix);
      else if (operation === OPS.restore) matrix = outer.pop() ?? identity;
      else if (operation === OPS.transform) matrix = multiplied(matrix, values);
      else if (operation === OPS.paintFormXObjectBegin) {
        outer.push(matrix);
        matrix = multiplied(matrix, Array.isArray(values) ? values[0] : undefined);
      } else if (operation === OPS.paintFormXObjectEnd) matrix = outer.pop() ?? identity;
      else if (operation === OPS.constructPath && Array.isArray(values)) {
        const paint: unknown = values[0];
        if (typeof paint !== 'number' || !painted.has(paint)) continue;
        paths++;
        for (const path of partsOf(numbersOf(values[1]), matrix)) addPath(rules, path, fills.has(paint));
      }
    }
    if (paths <= MAX_PATHS) continue;
    await reader.cancel(new Error('too many lines'));
    return { across: [], upright: [] };
  }
}

/**
 * Streams the drawing operations of a page. The public `getOperatorList` holds all of them in memory: gigabytes for a
 * hostile page.
 */
function operationsOf(page: PdfPage): ReadableStream<Operations> {
  const { messageHandler }: { messageHandler: MessageHandler } = page._transport;
  return messageHandler.sendWithStream('GetOperatorList', {
    pageId: page._pageIndex,
    pageIndex: page._pageIndex,
    intent: OPERATIONS_ONLY,
    cacheKey: `${OPERATIONS_ONLY}`,
    annotationStorage: null,
    modifiedIds: new Set(),
  });
}

function numbersOf(data: unknown): Float32Array {
  const path: unknown = Array.isArray(data) ? data[0] : data;
  return path instanceof Float32Array ? path : new Float32Array();
}

/** Returns the straight parts of a path, in page space. */
function partsOf(path: Float32Array, [a, b, c, d, e, f]: Matrix): Point[][] {
  const parts: Point[][] = [];
  let part: Point[] = [];
  for (let at = 0; at < path.length; ) {
    const operation = path[at] ?? CLOSE;
    const [x = 0, y = 0] = path.subarray(at + 1, at + 3);
    const point: Point = [a * x + c * y + e, b * x + d * y + f];
    if (operation === MOVE) {
      part = [point];
      parts.push(part);
    } else if (operation === LINE) part.push(point);
    else if (operation === CLOSE && part[0] !== undefined) part.push(part[0]);
    // A curve ends the straight part. No table line touches it.
    else part = [];
    at += 1 + (pathNumbers[operation] ?? 0);
  }
  return parts;
}

/** Adds the lines of a path: the edges of a filled area, or one line if the area is thin. */
function addPath(rules: Rules, path: readonly Point[], isFilled: boolean): void {
  const [left, right] = rangeOf(path, 0);
  const [bottom, top] = rangeOf(path, 1);
  if (isFilled && top - bottom <= MAX_THICKNESS) add(rules.across, (bottom + top) / 2, left, right);
  else if (isFilled && right - left <= MAX_THICKNESS) add(rules.upright, (left + right) / 2, bottom, top);
  else {
    for (const [i, [x, y]] of path.entries()) {
      const [nextX, nextY] = path[i + 1] ?? (isFilled ? path[0] : undefined) ?? [x, y];
      if (Math.abs(nextY - y) <= MAX_SLOPE) add(rules.across, (y + nextY) / 2, x, nextX);
      else if (Math.abs(nextX - x) <= MAX_SLOPE) add(rules.upright, (x + nextX) / 2, y, nextY);
    }
  }
}

function rangeOf(path: readonly Point[], axis: 0 | 1): [least: number, most: number] {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of path) {
    least = Math.min(least, point[axis]);
    most = Math.max(most, point[axis]);
  }
  return [least, most];
}

function add(rules: Rule[], at: number, one: number, other: number): void {
  if (Math.abs(other - one) >= MIN_LENGTH)
    rules.push({ at, from: Math.min(one, other), to: Math.max(one, other) });
}
