import { countValues, holdsMoreValues, leastBytes } from '../../../core/schemas/json-values.js';
import t from '../../support/t.js';

const more = (json: string, most: number) => holdsMoreValues(Buffer.from(json), most);

t.test('counts the values in arrays and objects of any depth', async (t) => {
  for (const [json, values] of [
    ['[[[[[[[[[[1]]]]]]]]]]', 11],
    ['{"a":1,"b":{"c":2,"d":[ \n]},"e":""}', 6],
    [`[${'{},'.repeat(99)}{}]`, 101],
  ] as const) {
    t.equal(more(json, values), false, `${json.slice(0, 40)} has ${values}`);
    t.equal(more(json, values - 1), true, `${json.slice(0, 40)} has more than ${values - 1}`);
    t.equal(countValues(JSON.parse(json)), values);
  }
});

t.test('ignores the content of strings, including escapes', async (t) => {
  for (const text of ['[{,'.repeat(100), '"[,'.repeat(100), '\\",['.repeat(100), '\\', '\u20ac,'.repeat(100)])
    t.equal(more(JSON.stringify({ [text]: text }), 4), false, text.slice(0, 10));
  t.equal(more(`["${'x'.repeat(100)}\\\\",1,1,1,1,1]`, 5), true, 'an escaped backslash ends no escape');
});

t.test('malformed texts terminate', async (t) => {
  for (const json of ['"'.repeat(101), '"\\'.repeat(100), '["x\\"', `"${'x'.repeat(100)}`, '\\'.repeat(100)])
    t.type(more(json, 5), 'boolean', json.slice(0, 10));
});

t.test('counts the bytes of a text without white space and escape sequences', async (t) => {
  for (const [json, bytes] of [
    ['{ "a" : [ 1, 2 ],\n\t"b c": " " }', '{"a":[1,2],"b c":" "}'.length],
    [String.raw`["\u00e9\n\"\\"," \\"]`, 4 + 2 + 1 + 4 + 2],
    ['"€"', 5],
    ['"\\', 2],
  ] as const)
    t.equal(leastBytes(Buffer.from(json)), bytes, json);
});
