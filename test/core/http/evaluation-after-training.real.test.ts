import { body, type List } from '../../support/api-client.js';
import { finish, type Play, stepStart } from '../../support/scripted-answerer.js';
import { onEachEngine } from '../../support/service.js';
import { streamingChat } from '../../support/streaming-chat.js';
import { until } from '../../support/until.js';
import { webhookReceiver } from '../../support/webhook-receiver.js';

const charging = {
  type: 'exact',
  question: 'How long does the lamp take to charge?',
  answer: [['90 minutes', '1.5 hours']],
};

const quotation: Play = async function* () {
  yield stepStart;
  yield { type: 'text', text: 'It takes 90 minutes.' };
  yield { type: 'step-finish' };
  const citation = {
    documentId: '01890000-0000-7000-8000-000000000000',
    sourceId: '1',
    sourceType: 'text_snippet',
    title: 'Lamp',
    url: null,
    start: 0,
    end: 5,
    quote: 'It takes 90 minutes.',
  } as const;
  yield { ...finish(), citations: [citation] };
};

await onEachEngine('an evaluation follows the training of its agent, and is announced', async (t, engine) => {
  const receiver = await webhookReceiver(t);
  const { api, chat, answerer } = await streamingChat(t, {
    engine,
    worker: { crawl: { resolve: { 'https://hooks.acme.com': receiver.origin } } },
  });
  answerer.play(quotation);
  const at = chat.at('');
  await body(api.post('/webhooks', { url: 'https://hooks.acme.com/', events: ['evaluation.completed'] }));
  t.same(await body(api.get(`${at}/settings/evaluation`)), {});
  await body(api.patch(`${at}/settings/evaluation`, { afterTraining: true }));
  await body(api.post(`${at}/evaluation-questions`, { questions: [charging] }));
  const upload = async (text: string) => {
    const { files } = await body(
      api.post<{ files: { uploadUrl: string; storagePath: string }[] }>(`${at}/sources/file/upload-url`, {
        files: [{ fileName: 'a.txt' }],
      }),
    );
    const [file] = files;
    await fetch(file?.uploadUrl ?? '', {
      method: 'PUT',
      headers: { 'content-type': 'text/plain' },
      body: text,
    });
    const { jobId } = await body(
      api.post<{ jobId: string }>(`${at}/sources/file`, {
        files: [{ storagePath: file?.storagePath, fileName: 'a.txt' }],
      }),
    );
    return body(api.get<{ status: string }>(`${at}/jobs/${jobId}?wait=30`));
  };
  t.match(await upload('The warehouse is in Rotterdam.'), { status: 'completed' });
  t.match(await upload('The shop is in Delft.'), { status: 'completed' });
  const [message] = await until('the message', () => {
    const found = receiver.ofType('evaluation.completed');
    return found.length > 0 ? found : null;
  });
  const { data } = await body(api.get<List<{ id: string }>>(`${at}/evaluations`));
  t.match(data, [{ origin: 'training', status: 'completed' }], 'both jobs share one evaluation');
  t.match(message?.body.data, {
    agentId: chat.agentId,
    evaluationId: data[0]?.id,
    origin: 'training',
    status: 'completed',
    figures: { questions: 1, right: 1, score: 1 },
  });
});
