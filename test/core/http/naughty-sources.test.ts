import { body, invalid } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { lengthOf, naughtyStrings, pieces } from './naughty-strings.js';

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
