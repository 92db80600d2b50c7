import t from 'tap';
import { readSourceText } from '../../../../core/http/mcp/read-source-text.js';

t.test('parts of a text in several slices join to the whole, at every size', async (t) => {
  const slices = ['😀ab', 'c', 'd😀e', '😀😀'];
  const reads = { contentBytes: async () => 40, content: async () => slices };
  const read = (offset: number, limit: number) =>
    readSourceText(reads, { reserve: () => {} }, { agentId: 'a', documentId: 'd', offset, limit });
  const whole = slices.join('');
  for (let limit = 1; limit <= 10; limit += 1) {
    const parts: string[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const part: Awaited<ReturnType<typeof read>> = await read(offset, limit);
      parts.push(part.text);
      offset = part.nextOffset;
    }
    t.equal(parts.join(''), whole, `parts of ${limit}`);
    t.equal(parts.length, Math.ceil(9 / limit));
  }
  t.strictSame(await read(20, 5), { text: '', nextOffset: null }, 'beyond the end');
});
