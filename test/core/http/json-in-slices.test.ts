import { isDeepStrictEqual } from 'node:util';
import { jsonInSlices, SlicedText } from '../../../core/http/pipeline/json-in-slices.js';
import t from '../../support/t.js';

const decoded = async (answer: object): Promise<unknown> =>
  JSON.parse(Buffer.concat(await jsonInSlices(answer)).toString());

t.test('encodes a response like JSON.stringify', async (t) => {
  const message = { id: '1', parts: [{ type: 'text', text: 'a "b"\n' }], feedback: undefined, usage: null };
  for (const answer of [
    {},
    { data: [], messages: [], other: [1, 2] },
    { id: 'c', messages: [message, {}], pagination: { cursor: null, hasMore: false } },
    { data: [{ id: 'c', messages: [message, message], title: 'ü' }, { id: 'd' }], total: 2 },
    { left: undefined, text: '\ud83d' },
    { text: new SlicedText([]) },
    {
      documentId: 'd',
      text: new SlicedText(['"\\\n\u2028'.repeat(100_000), `a${'😀'.repeat(200_000)}`, '\ud83d']),
    },
  ]) {
    const json = JSON.stringify(answer);
    t.ok(isDeepStrictEqual(await decoded(answer), JSON.parse(json)), json.slice(0, 30));
  }
});

t.test('encoding a long response does not block the event loop', async (t) => {
  let iterations = 0;
  const count = (): void => {
    iterations += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await jsonInSlices({ data: Array(400).fill({ text: '"\n'.repeat(50_000) }) });
  clearImmediate(counting);
  t.ok(iterations > 3);
});
