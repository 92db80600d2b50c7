import { SelfExplained } from '../../../api/failure.js';
import { type Expected, expectationOf } from './expected.js';

const columns = ['question', 'answer', 'source', 'type'] as const;
type Column = (typeof columns)[number];

/**
 * Returns the questions in a text: JSON, as `docs/evaluate.md` describes it, or a table as spreadsheets save and copy it,
 * with a question, an answer and a source in each row. Throws SelfExplained.
 */
export function questionsIn(text: string): unknown {
  if (/^\s*[[{]/.test(text)) return questionsInJson(text);
  const rows = rowsIn(text.replace(/^\ufeff/, '')).filter((row) => row.some((cell) => cell !== ''));
  const [first = []] = rows;
  const named = first.map((cell) => columns.find((column) => cell.toLowerCase() === column));
  const isHead = named.includes('question');
  const order = isHead ? named : columns;
  return (isHead ? rows.slice(1) : rows).map((row) => {
    const cell = (column: Column): string => row[order.indexOf(column)] ?? '';
    const expected: Expected = { answer: cell('answer'), source: cell('source'), unanswerable: false };
    const type = cell('type');
    return { question: cell('question'), ...(type ? { type } : {}), ...expectationOf(expected) };
  });
}

function questionsInJson(text: string): unknown {
  try {
    const content = JSON.parse(text) as { questions?: unknown } | null;
    return Array.isArray(content) ? content : content?.questions;
  } catch {
    throw new SelfExplained(
      'This is not valid JSON. Correct it, or use a table with a question in each row.',
    );
  }
}

const separators = ['\t', ';', ','] as const;

/** Divides a table into rows and cells, as RFC 4180 describes them. The first line decides on the separator. */
function rowsIn(text: string): string[][] {
  const head = text.slice(0, text.search(/\r?\n|$/)).replace(/"[^"]*"/g, '');
  const separator = separators.find((sign) => head.includes(sign)) ?? '\t';
  const rows: string[][] = [[]];
  const cell = new RegExp(`(?:"((?:[^"]|"")*)"|((?!")[^${separator}\\r\\n]*))(${separator}|\\r?\\n|$)`, 'y');
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, quoted, plain = '', end] = cell.exec(text) ?? [];
    if (end === undefined)
      throw new SelfExplained(
        `A cell is not closed: “${text.slice(at, at + 40)}”. Write two quotation marks for one in a cell.`,
      );
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end !== separator) rows.push([]);
  }
  return rows;
}
