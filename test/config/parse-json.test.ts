import { parseJson } from '../../config/parse-json.js';
import t from '../support/t.js';

t.test('parses JSON', async (t) => {
  const text = ' {"a": [1, -2.5e+3, "\\u00e9\\n", true, null, {}, []]} ';
  t.same(parseJson(text), { value: JSON.parse(text) });
});

const faults: [string, number, number][] = [
  ['', 1, 1],
  ['{"a":1', 1, 7],
  ['{"a" 1}', 1, 6],
  ['{a:1}', 1, 2],
  ['[1,\n 2,\n]', 3, 1],
  ['[01]', 1, 3],
  ['["\\x"]', 1, 2],
  ['["a\tb"]', 1, 2],
  ['"a" // comment', 1, 5],
  ["{'a': 1}", 1, 2],
];

t.test('names the line and column of a syntax error', async (t) => {
  for (const [text, line, column] of faults)
    t.same(parseJson(text), { problem: `is not valid JSON at line ${line}, column ${column}` }, text);
});
