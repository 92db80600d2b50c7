import type { Evaluation, Result } from './evaluate.js';

/** Characters that XML 1.0 does not allow. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escaped = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(FORBIDDEN, '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');

const seconds = (ms: number | null): string => ((ms ?? 0) / 1000).toFixed(3);

function testCase(result: Result, isPassed: boolean): string {
  const { question, verdict, answer, titles, error, durationMs } = result;
  const open = `  <testcase classname="${escaped(question.type ?? 'question')}" name="${escaped(question.question)}" time="${seconds(durationMs)}"`;
  if (verdict === null) return `${open}><skipped/></testcase>`;
  if (isPassed) return `${open}/>`;
  if (error)
    return `${open}><error type="${escaped(error.code)}" message="${escaped(error.message)}"/></testcase>`;
  const said = `${answer ?? ''}\n\nSources: ${(titles ?? []).join(', ') || 'none'}`;
  return `${open}><failure type="${verdict}" message="${verdict}">${escaped(said)}</failure></testcase>`;
}

/** Formats results as a JUnit report. Each question is a test case; its type is the class. */
export function junitReport(
  { id, name, figures }: Evaluation,
  results: readonly Result[],
  isPassed: (result: Result) => boolean,
): string {
  const failures = results.filter((result) => result.verdict !== null && !isPassed(result) && !result.error);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="${escaped(name ?? id)}" tests="${figures.questions}" failures="${failures.length}" errors="${figures.failed}" skipped="${results.filter(({ verdict }) => verdict === null).length}">`,
    ...results.map((result) => testCase(result, isPassed(result))),
    '</testsuite>',
    '',
  ].join('\n');
}
