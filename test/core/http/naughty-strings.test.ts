import { type Agent, body, type Source, walk } from '../../support/api-client.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { lengthOf, naughtyStrings, pieces } from './naughty-strings.js';

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
