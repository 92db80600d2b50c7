import { type Agent, body, invalid, type Source, walk } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { lengthOf, naughtyStrings, pieces } from './naughty-strings.js';

const service = await startTestService(t);

t.test('hostile names are stored or rejected', async (t) => {
  const api = await service.client();
  for (const name of naughtyStrings) {
    const created = await api.post<Agent>('/agents', { name });
    if (name.trim() === '' || lengthOf(name.trim()) > 255) invalid(t, created, 'name');
    else t.equal(created.body.name, name.trim());
  }
});

t.test('hostile paths and queries are rejected', async (t) => {
  const api = await service.client();
  const { id } = await api.agent();
  for (const text of naughtyStrings.map(encodeURIComponent).filter((text) => text !== '')) {
    invalid(t, await api.get(`/agents?cursor=${text}`), 'cursor');
    invalid(t, await api.get(`/agents/${id}/sources?sourceType=${text}&limit=x`), 'limit', 'sourceType');
    const { status } = await api.get(`/agents/${text}`);
    t.equal(status, 404);
  }
});

await onEachEngine('hostile strings are returned unchanged', async (t, engine) => {
  const api = await (await startTestService(t, { engine })).client();
  const { id } = await api.agent();
  const at = (path: string) => `/agents/${id}${path}`;
  const expected: string[] = [];
  for (const some of pieces(naughtyStrings, 8)) {
    const [title, bubbleColor, primaryColor] = some;
    if (primaryColor !== undefined) {
      await body(api.patch(at('/settings/design'), { title, bubbleColor, primaryColor }));
      t.strictSame((await body(api.get<Agent>(at('')))).settings, {
        title,
        branding: { bubbleColor, primaryColor },
      });
    }
    await Promise.all(
      some.map(async (text) => {
        const answer = await api.post(at('/sources/text'), { title: text, content: text });
        if (text.trim() === '' || lengthOf(text) > 200) t.equal(answer.status, 400, answer.text);
        else {
          t.equal(answer.status, 201, answer.text);
          expected.push(text);
        }
      }),
    );
  }
  const sources = await walk<Source>(api, at('/sources'), 100);
  t.strictSame(sources.map(({ title }) => title).sort(), expected.map((text) => text.trim()).sort());
  const texts = await Promise.all(
    sources.map(({ id }) => body(api.get<{ text: string }>(at(`/sources/${id}/content`)))),
  );
  t.strictSame(texts.map(({ text }) => text).sort(), expected.sort());
  const instructionsPrompt = naughtyStrings.join('\n');
  await body(api.patch(at('/settings/ai'), { instructionsPrompt }));
  t.strictSame(await body(api.get(at('/settings/ai'))), { instructionsPrompt });
});

await onEachEngine(
  'hostile questions, file names, paths and URLs are accepted or rejected without harm',
  async (t, engine) => {
    const api = await (await startTestService(t, { engine })).client();
    const { id } = await api.agent();
    const at = (path: string) => `/agents/${id}${path}`;
    for (const questions of pieces(
      naughtyStrings.filter((text) => lengthOf(text) <= 500),
      10,
    )) {
      const sent = { title: 'q', questions: [...questions.slice(1), 'last'], answer: questions.join('') };
      const { documentId } = await body(api.post<{ documentId: string }>(at('/sources/qna'), sent));
      const { text } = await body(api.get<{ text: string }>(at(`/sources/${documentId}/content`)));
      t.ok(sent.questions.every((question) => text.includes(question.trim())) && text.includes(sent.answer));
    }
    const names = naughtyStrings.filter((text) => text.trim() !== '' && lengthOf(text) <= 251);
    for (const some of pieces(names, 20)) {
      const files = some.map((name) => ({ fileName: `${name}.txt` }));
      const signed = await body(
        api.post<{ files: { fileName: string }[] }>(at('/sources/file/upload-url'), { files }),
      );
      t.strictSame(
        signed.files.map(({ fileName }) => ({ fileName })),
        files,
      );
    }
    const paths = naughtyStrings.filter((text) => text !== '' && lengthOf(text) <= 512);
    for (const some of pieces(paths, 20)) {
      const files = some.map((storagePath) => ({ fileName: 'a.txt', storagePath }));
      invalid(t, await api.post(at('/sources/file'), { files }), 'files');
    }
    for (const some of pieces(naughtyStrings, 20)) {
      for (const answer of await Promise.all(some.map((url) => api.post(at('/sources/url'), { url })))) {
        if (answer.status !== 202) invalid(t, answer, 'url');
      }
    }
  },
);
