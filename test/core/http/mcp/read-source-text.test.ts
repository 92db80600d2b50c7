import { readSourceText } from '../../../../core/http/mcp/read-source-text.js';
import { body } from '../../../support/api-client.js';
import { onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';

await onEachEngine('parts of a text join to the whole, at every size', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const { apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id: agentId } = await api.agent();
  const whole = '😀abcd😀é😀😀';
  const { documentId } = await body(
    api.post<{ documentId: string }>(`/agents/${agentId}/sources/text`, { title: 'Parts', content: whole }),
  );
  const read = (offset: number, limit: number) =>
    readSourceText(service.store.reads, { reserve: () => {} }, { agentId, documentId, offset, limit });
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
  for (const offset of [9, 20, 1000, Number.MAX_VALUE])
    t.strictSame(await read(offset, 5), { text: '', nextOffset: null }, 'beyond the end');
  const unknown = { agentId, documentId: agentId, offset: 0, limit: 1 };
  await t.rejects(readSourceText(service.store.reads, { reserve: () => {} }, unknown), {
    code: 'RESOURCE_DOCUMENT_NOT_FOUND',
  });
});

t.test('takes memory for the part, not for the text', async (t) => {
  const reads = { contentBytes: async () => 8_000_000, contentPart: async () => 'x'.repeat(1001) };
  const reserved: number[] = [];
  const reserve = (bytes: number) => void reserved.push(bytes);
  const part = { agentId: 'a', documentId: 'd', offset: 0, limit: 1000 };
  t.match(await readSourceText(reads, { reserve }, part), { nextOffset: 1000 });
  t.strictSame(reserved, [8000]);
});
