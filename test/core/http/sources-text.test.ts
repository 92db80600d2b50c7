import type { Test } from 'tap';
import { NotIndexable } from '../../../core/ports/indexer.port.js';
import { body, type ErrorBody, invalid, type List, refused, type Source } from '../../support/api-client.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

const service = await startTestService(t);
const FACE = '\u{1F600}';
const ABSENT = '01890000-0000-7000-8000-000000000000';
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MAX = 262_144;

async function fresh(t: Test) {
  const api = await service.client();
  const agent = `/agents/${(await api.agent()).id}`;
  const post = (kind: 'text' | 'qna', sent: object) =>
    api.post<{ documentId: string } & ErrorBody>(`${agent}/sources/${kind}`, sent);
  return {
    api,
    agent,
    post,
    text: (sent: object) => post('text', { title: 't', content: 'c', ...sent }),
    qna: (sent: object) => post('qna', { title: 't', questions: ['q?'], answer: 'a', ...sent }),
    contentOf: async (documentId: string) =>
      (await body(api.get<{ text: string }>(`${agent}/sources/${documentId}/content`))).text,
    noneStored: async () =>
      t.equal((await body(api.get<List<Source>>(`${agent}/sources`))).pagination.total, 0),
  };
}

t.test('a text is stored, readable and trained when the response arrives', async (t) => {
  const { api, agent, text, contentOf } = await fresh(t);
  const content = '  # Opening hours\r\n\r\nNine to five.\t\n';
  const answer = await text({ title: '  Hours ', content, sourceType: 'web_crawl' });
  t.equal(answer.status, 201);
  t.strictSame(Object.keys(answer.body), ['documentId']);
  const { documentId } = answer.body;
  t.match(documentId, UUID_V7);
  const source = await body(api.get<Source>(`${agent}/sources/${documentId}`));
  t.match(source, {
    id: documentId,
    title: 'Hours',
    sourceType: 'text_snippet',
    createdAt: Number,
    lastCrawledAt: null,
  });
  t.strictSame(Object.keys(source).sort(), [
    'createdAt',
    'id',
    'lastCrawledAt',
    'sourceMetadata',
    'sourceType',
    'title',
  ]);
  t.strictSame((await body(api.get<List<Source>>(`${agent}/sources`))).data, [source]);
  t.equal(await contentOf(documentId), content);
  t.strictSame(await body(api.get(`${agent}/sources/${documentId.toUpperCase()}`)), source);
  const train = await body(api.get<{ lastTrainedAt: number }>(`${agent}/train`));
  t.match(train, { status: 'trained', documentCount: 1, lastTrainedAt: source.createdAt, activeJob: null });
});

t.test('a title has 1 to 200 characters before trimming, and at least one after', async (t) => {
  const { text, qna, noneStored } = await fresh(t);
  const bad = [
    '',
    ' ',
    '\u{3000}\n',
    FACE.repeat(201),
    ` ${'x'.repeat(200)}`,
    ' '.repeat(201),
    null,
    5,
    ['x'],
    undefined,
  ];
  for (const title of bad) {
    invalid(t, await text({ title }), 'title');
    invalid(t, await qna({ title }), 'title');
  }
  await noneStored();
  for (const title of ['x', FACE.repeat(200), ` ${'x'.repeat(198)} `]) {
    t.equal((await text({ title })).status, 201);
    t.equal((await qna({ title })).status, 201);
  }
});

t.test('content and answer have 1 to 262,144 UTF-8 bytes, not only white space', async (t) => {
  const { text, qna, contentOf, noneStored } = await fresh(t);
  const bad = [
    '',
    ' ',
    '\n\t\u{3000}\u{FEFF}',
    'x'.repeat(MAX + 1),
    `${'é'.repeat(MAX / 2)}x`,
    FACE.repeat(MAX / 4 + 1),
    null,
    5,
    {},
    undefined,
  ];
  for (const long of bad) {
    invalid(t, await text({ content: long }), 'content');
    invalid(t, await qna({ answer: long }), 'answer');
  }
  await noneStored();
  for (const long of ['x', ' x ', 'x'.repeat(MAX), 'é'.repeat(MAX / 2), FACE.repeat(MAX / 4)]) {
    t.equal(await contentOf((await text({ content: long })).body.documentId), long);
    const entry = await qna({ answer: long });
    t.ok((await contentOf(entry.body.documentId)).includes(long));
  }
});

t.test('an entry has at most ten questions of 500 characters, at least one not blank', async (t) => {
  const { api, agent, qna, contentOf, noneStored } = await fresh(t);
  const bad = [
    [],
    ['', ' '],
    Array(11).fill('q'),
    [FACE.repeat(501)],
    ['q', ' '.repeat(501)],
    ['q', null],
    ['q', 5],
    'q',
    null,
    {},
    undefined,
  ];
  for (const questions of bad) invalid(t, await qna({ questions }), 'questions');
  await noneStored();
  const good = [
    ['q'],
    ['', 'q', ' '],
    [FACE.repeat(500)],
    Array.from({ length: 10 }, (_, n) => `question ${n}`.padEnd(500, 'x')),
  ];
  for (const questions of good) {
    const answer = await qna({ questions });
    t.equal(answer.status, 201, answer.text);
    t.strictSame(Object.keys(answer.body), ['documentId']);
    const stored = await contentOf(answer.body.documentId);
    t.ok(questions.every((question) => stored.includes(question.trim())));
    t.match(await body(api.get(`${agent}/sources/${answer.body.documentId}`)), {
      sourceType: 'qna_entry',
      title: 't',
    });
  }
});

t.test('names all invalid fields', async (t) => {
  const { post } = await fresh(t);
  invalid(t, await post('text', {}), 'title', 'content');
  invalid(t, await post('qna', { title: 5, questions: [], answer: ' ' }), 'title', 'questions', 'answer');
  const nested = await post('qna', { title: 't', questions: ['ok', 'x'.repeat(501), 7], answer: 'a' });
  t.match(nested.body.error.details?.fieldErrors, {
    questions: [/^questions\[1\] must/, /^questions\[2\] must/],
  });
});

t.test('rejects a text that cannot be indexed, and logs the cause', async (t) => {
  const { client, logged } = await startTestService(t, {
    indexer: (real) => ({
      async index(text, owner) {
        if (text.includes('poison')) throw new NotIndexable(new Error('thread died'));
        if (text.includes('fault')) throw new Error('no threads');
        return real.index(text, owner);
      },
    }),
  });
  const api = await client();
  const sources = `/agents/${(await api.agent()).id}/sources`;
  invalid(t, await api.post(`${sources}/text`, { title: 't', content: 'poison' }), 'content');
  const entry = { title: 't', questions: ['q?'], answer: 'poison' };
  invalid(t, await api.post(`${sources}/qna`, entry), 'answer');
  t.match(logged.splice(0), [
    { level: 'warn', fields: { err: { message: 'thread died' } } },
    { level: 'warn', fields: { err: { message: 'thread died' } } },
  ]);
  refused(
    t,
    await api.post(`${sources}/text`, { title: 't', content: 'fault' }),
    500,
    'INTERNAL_SERVER_ERROR',
  );
  t.match(logged.splice(0), [{ level: 'error', fields: { err: { message: 'no threads' } } }]);
  const { documentId } = await body(
    api.post<{ documentId: string }>(`${sources}/text`, { title: 't', content: 'good' }),
  );
  invalid(t, await api.patch(`${sources}/${documentId}`, { content: 'poison' }), 'content');
  t.equal((await body(api.get<{ text: string }>(`${sources}/${documentId}/content`))).text, 'good');
  t.equal((await body(api.get<List<Source>>(sources))).pagination.total, 1);
});

t.test('the same text twice creates two documents', async (t) => {
  const { api, agent, text } = await fresh(t);
  t.not((await text({})).body.documentId, (await text({})).body.documentId);
  t.equal((await body(api.get<List<Source>>(`${agent}/sources`))).pagination.total, 2);
});

t.test('a source is deleted once, by its own agent, and disappears everywhere', async (t) => {
  const { api, agent, text } = await fresh(t);
  const { documentId } = (await text({})).body;
  const kept = (await text({})).body.documentId;
  const other = `/agents/${(await api.agent()).id}`;
  refused(t, await api.delete(`${other}/sources/${documentId}`), 404, 'RESOURCE_DOCUMENT_NOT_FOUND');
  refused(t, await api.get(`${other}/sources/${documentId}/content`), 404, 'RESOURCE_DOCUMENT_NOT_FOUND');
  t.strictSame(await body(api.delete(`${agent}/sources/${documentId.toUpperCase()}`)), { deleted: true });
  for (const id of [documentId, ABSENT]) {
    refused(t, await api.delete(`${agent}/sources/${id}`), 404, 'RESOURCE_DOCUMENT_NOT_FOUND');
    refused(t, await api.get(`${agent}/sources/${id}`), 404, 'RESOURCE_DOCUMENT_NOT_FOUND');
    refused(t, await api.get(`${agent}/sources/${id}/content`), 404, 'RESOURCE_DOCUMENT_NOT_FOUND');
  }
  for (const id of [
    'x',
    '1',
    `${ABSENT}0`,
    ABSENT.replaceAll('-', ''),
    `{${ABSENT}}`,
    '%00',
    'text',
    '%20',
  ]) {
    invalid(t, await api.delete(`${agent}/sources/${id}`), 'documentId');
    invalid(t, await api.get(`${agent}/sources/${id}`), 'documentId');
    invalid(t, await api.get(`${agent}/sources/${id}/content`), 'documentId');
  }
  t.match(await body(api.get(`${agent}/sources`)), { data: [{ id: kept }], pagination: { total: 1 } });
  t.match(await body(api.get(`${agent}/train`)), { documentCount: 1, status: 'trained' });
});

t.test('an agent without any sources left still counts as trained', async (t) => {
  const { api, agent, text } = await fresh(t);
  await body(api.delete(`${agent}/sources/${(await text({})).body.documentId}`));
  t.match(await body(api.get(`${agent}/train`)), {
    status: 'trained',
    documentCount: 0,
    lastTrainedAt: Number,
    activeJob: null,
  });
});
