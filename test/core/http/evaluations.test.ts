import type { Test } from 'tap';
import { ModelFailure } from '../../../core/ports/model.port.js';
import type { Citation } from '../../../core/ports/store/conversations/answer.js';
import {
  type ApiClient,
  body,
  type ErrorBody,
  invalid,
  type List,
  refused,
  walk,
} from '../../support/api-client.js';
import { type Chat, chatWith } from '../../support/chat.js';
import { finish, gate, type Play, saysAround, stepStart } from '../../support/scripted-answerer.js';
import { onEachEngine, startTestService } from '../../support/service.js';
import { streamingChat } from '../../support/streaming-chat.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

interface Figures {
  questions: number;
  right: number;
  partly: number;
  wrong: number;
  refused: number;
  failed: number;
  score: number | null;
}
interface Evaluation {
  id: string;
  name: string | null;
  origin: string;
  status: string;
  progress: number;
  figures: Figures;
  types?: { type: string; figures: Figures }[];
  comparison?: { evaluationId: string; better: number; worse: number; same: number; new: number };
}
interface Result {
  position: number;
  question: { question: string; before: string[]; source: string[]; type: string };
  verdict: string | null;
  answer: string | null;
  titles: string[] | null;
  error: { code: string } | null;
  previous?: string | null;
  change?: string;
}
interface Kept {
  id: string;
  question: { question: string; before: string[]; source: string[]; answer: string[][] };
}

const lamp = {
  title: 'Halo lamp',
  content: 'The Halo is a reading lamp. It charges in about 90 minutes. The lamp weighs 85 grams.',
};
const charging = {
  type: 'exact',
  question: 'How long does the Halo take to charge?',
  answer: [['90 minutes', '1.5 hours']],
  source: [lamp.title],
};
const weight = {
  type: 'exact',
  question: 'How much does the lamp weigh?',
  answer: [['3 kilograms']],
  source: [lamp.title],
};
const capital = { type: 'off-topic', question: 'What is the capital of France?' };

const ended = (api: ApiClient, at: string, id: string, query = ''): Promise<Evaluation> =>
  until('the end of the evaluation', async () => {
    const found = await body(api.get<Evaluation>(`${at}/evaluations/${id}${query}`));
    return ['pending', 'running'].includes(found.status) ? null : found;
  });

async function evaluate(api: ApiClient, at: string, sent: object): Promise<Evaluation> {
  const { status, text, body: made } = await api.post<Evaluation>(`${at}/evaluations`, sent);
  if (status !== 202) throw new Error(text);
  return ended(api, at, made.id);
}

const results = (api: ApiClient, at: string, id: string, query = '') =>
  body(api.get<List<Result>>(`${at}/evaluations/${id}/results?${query}`));

async function lampAgent(api: ApiClient): Promise<string> {
  const { id } = await api.agent();
  await body(api.post(`/agents/${id}/sources/text`, lamp));
  return `/agents/${id}`;
}

await onEachEngine('judges the answers of an agent, and stores no conversation', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const at = await lampAgent(api);
  const followUp = { ...weight, type: 'follow-up', question: 'And its weight?', before: [charging.question] };
  const first = await evaluate(api, at, { name: 'First', questions: [charging, weight, capital, followUp] });
  t.match(first, {
    name: 'First',
    origin: 'request',
    status: 'completed',
    progress: 4,
    figures: { questions: 4, right: 1, refused: 1, failed: 0, score: 0.5 },
    types: [
      { type: 'exact', figures: { questions: 2, right: 1, partly: 1, score: 0.5 } },
      { type: 'off-topic', figures: { questions: 1, refused: 1, score: 1 } },
      { type: 'follow-up', figures: { questions: 1 } },
    ],
  });
  const all = await results(api, at, first.id);
  t.match(all.data[0], { position: 1, verdict: 'right', titles: [lamp.title], error: null });
  t.match(all.data[0]?.answer, /90 minutes/);
  t.equal((await results(api, at, first.id, 'verdict=partly')).pagination.total, first.figures.partly);
  const walked = await walk<Result>(api, `${at}/evaluations/${first.id}/results`, 1);
  t.strictSame(
    walked.map(({ position }) => position),
    [1, 2, 3, 4],
  );

  t.equal((await body(api.get<List<object>>(`${at}/conversations`))).pagination.total, 0);
  const { data: questions } = await body(api.get<List<object>>(`${at}/questions?outcome=unanswered`));
  t.strictSame(questions, [], 'no question of a user');
  const usage = await body(api.get<{ usage: { credits: { answers: number }[] } }>('/workspace'));
  t.match(JSON.stringify(usage), /"answers":5/, 'every answer counts');

  const corrected = { ...weight, answer: [['85 grams', '/8[45] ?g/']] };
  const second = await evaluate(api, at, { questions: [{ ...charging, mustNot: ['90'] }, corrected] });
  const compared = await ended(api, at, second.id, `?compareTo=${first.id}`);
  t.strictSame(compared.comparison, { evaluationId: first.id, better: 1, worse: 1, same: 0, new: 0 });
  const worse = await results(api, at, second.id, `compareTo=${first.id}&change=worse`);
  t.match(worse.data, [{ position: 1, verdict: 'partly', previous: 'right', change: 'worse' }]);

  const listed = await walk<Evaluation>(api, `${at}/evaluations`, 1);
  t.strictSame(
    listed.map(({ id, figures }) => [id, figures]),
    [
      [second.id, second.figures],
      [first.id, first.figures],
    ],
  );
  const gone = await api.delete<{ deleted: boolean }>(`${at}/evaluations/${first.id}`);
  t.equal(gone.body.deleted, true);
  refused(t, await api.get(`${at}/evaluations/${first.id}`), 404, 'RESOURCE_NOT_FOUND');
  invalid(t, await api.get(`${at}/evaluations/${second.id}?compareTo=${first.id}`), 'compareTo');

  const stranger = await service.client();
  for (const path of ['', `/${second.id}`, `/${second.id}/results`])
    refused(t, await stranger.get(`${at}/evaluations${path}`), 404, 'AGENT_NOT_FOUND');
  const other = await lampAgent(api);
  refused(t, await api.get(`${other}/evaluations/${second.id}`), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await api.delete(`${other}/evaluations/${second.id}`), 404, 'RESOURCE_NOT_FOUND');
});

await onEachEngine('keeps questions, also from conversations, and evaluates with them', async (t, engine) => {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const at = await lampAgent(api);
  invalid(t, await api.post(`${at}/evaluations`, {}), 'questions');
  const kept = await body(
    api.post<{ data: Kept[] }>(`${at}/evaluation-questions`, { questions: [charging, capital] }),
  );
  t.equal(kept.data.length, 2);
  const again = await body(
    api.post<{ data: Kept[] }>(`${at}/evaluation-questions`, {
      questions: [{ ...charging, question: 'how long does the HALO take to charge', answer: [['an hour']] }],
    }),
  );
  t.equal(again.data[0]?.id, kept.data[0]?.id, 'the same question, in other words');
  t.strictSame(again.data[0]?.question.answer, [['an hour']]);

  const chat: Chat = { ...(await chatWith(api)), at: (path) => `${at}${path}` };
  const ask = async (message: string, conversationId?: string) =>
    body(
      api.post<{ id: string; metadata: { conversationId: string; userMessageId: string } }>(
        chat.at('/chat'),
        { message, stream: false, ...(conversationId ? { conversationId } : {}) },
      ),
    );
  const { metadata } = await ask(charging.question);
  const { conversationId } = metadata;
  const { id: messageId } = await ask(weight.question, conversationId);
  for (let n = 0; n < 26; n += 1) await ask(`Thanks (${n})`, conversationId);
  const past = await body(
    api.post<Kept>(`${at}/evaluation-questions/from-message`, {
      conversationId,
      messageId,
      answer: [['85 grams']],
    }),
  );
  t.match(past.question, {
    question: weight.question,
    before: [charging.question],
    source: [lamp.title],
    answer: [['85 grams']],
  });
  const byQuestion = await body(
    api.post<Kept>(`${at}/evaluation-questions/from-message`, {
      conversationId,
      messageId: metadata.userMessageId,
    }),
  );
  t.equal(byQuestion.id, kept.data[0]?.id, 'the first question is kept already');
  t.same(byQuestion.question.source, [lamp.title], 'the answer is found, however many messages follow');

  const run = await evaluate(api, at, {});
  t.match(run.figures, { questions: 3, right: 2, refused: 1, score: 1 });
  const list = await walk<Kept>(api, `${at}/evaluation-questions`, 2);
  t.equal(list.length, 3);
  await body(api.delete(`${at}/evaluation-questions/${past.id}`));
  refused(t, await api.delete(`${at}/evaluation-questions/${past.id}`), 404, 'RESOURCE_NOT_FOUND');

  const absent = '01890000-0000-7000-8000-000000000000';
  for (const [sent, code] of [
    [{ conversationId: absent, messageId: '1' }, 'RESOURCE_NOT_FOUND'],
    [{ conversationId, messageId: '999999' }, 'RESOURCE_MESSAGE_NOT_FOUND'],
  ] as const)
    refused(t, await api.post(`${at}/evaluation-questions/from-message`, sent), 404, code);
  const stranger = await service.client();
  refused(t, await stranger.get(`${at}/evaluation-questions`), 404, 'AGENT_NOT_FOUND');
  refused(t, await stranger.delete(`${at}/evaluation-questions/${absent}`), 404, 'AGENT_NOT_FOUND');
});

t.test('refuses questions that cannot be judged, and stores nothing of them', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const at = await lampAgent(api);
  const send = (questions: object[]) => api.post(`${at}/evaluations`, { questions });
  invalid(t, await send([charging, { ...charging, answer: [['/[/']] }]), 'questions');
  invalid(t, await send([{ question: ' ' }]), 'questions');
  invalid(t, await send([{ ...charging, type: 'Two words' }]), 'questions');
  invalid(t, await send([]), 'questions');
  invalid(t, await send(Array.from({ length: 501 }, () => capital)), 'questions');
  invalid(
    t,
    await api.post(`${at}/evaluation-questions`, { questions: [{ ...charging, mustNot: ['/(/'] }] }),
  );
  t.equal((await body(api.get<List<object>>(`${at}/evaluations`))).pagination.total, 0);
  t.equal((await body(api.get<List<object>>(`${at}/evaluation-questions`))).pagination.total, 0);
});

const expressions = (count: number, body = (n: number) => `x${n}`) =>
  Array.from({ length: count }, (_, n) => `/${body(n)}/`);
/** Distributes patterns over questions as alternatives of one group each. */
const expecting = (patterns: string[]) =>
  Array.from({ length: Math.ceil(patterns.length / 20) }, (_, n) => ({
    ...charging,
    question: `Question ${n}?`,
    answer: [patterns.slice(n * 20, n * 20 + 20)],
  }));

t.test('reports patterns together with all other problems, but only of valid questions', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const at = await lampAgent(api);
  const broken = { ...charging, mustNot: ['/(/'] };
  const name = 'x'.repeat(101);
  invalid(t, await api.post(`${at}/evaluations`, { name, questions: [broken] }), 'name', 'questions');
  const tooLong = `/${'\\p{L}'.repeat(200)}(/`;
  for (const path of ['evaluations', 'evaluation-questions']) {
    const answer = await api.post<ErrorBody>(`${at}/${path}`, { questions: [expecting([tooLong])[0]] });
    invalid(t, answer, 'questions');
    t.strictSame(answer.body.error.details?.fieldErrors, {
      questions: ['questions[0].answer[0][0] must have at most 500 characters'],
    });
  }
});

t.test('refuses more regular expressions than can be compiled in a moment', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const at = await lampAgent(api);
  const many = expressions(2001);
  const long = expressions(60, (n) => `${n}${'\\p{L}'.repeat(90)}`);
  const tooComplex = ['/(((a?){1000}){1000}){1000}/'];
  for (const [patterns, problem] of [
    [many, /more than 2,000 regular expressions/],
    [long, /more than 25,000 characters/],
    [tooComplex, /too complex/],
  ] as const)
    for (const path of ['evaluations', 'evaluation-questions']) {
      // 503 if the machine is too busy to compile them in time.
      const answer = await until('a decision about the expressions', async () => {
        const one = await api.post<ErrorBody>(`${at}/${path}`, { questions: expecting([...patterns]) });
        return one.status === 503 ? null : one;
      });
      invalid(t, answer, 'questions');
      t.match(answer.text, problem);
    }
  t.equal((await api.post(`${at}/evaluations`, { questions: expecting(many.slice(1)) })).status, 202);
  const emoji = expressions(45, (n) => `${n}${'😀'.repeat(490)}`);
  const kept = await api.post(`${at}/evaluation-questions`, { questions: expecting(emoji) });
  t.equal(kept.status, 201, 'characters are code points');
});

// Nothing but the time would show where a pattern is compiled, and a test must not depend on time.
t.test('compiles no pattern of a client on the event loop', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const at = await lampAgent(api);
  const compiled: string[] = [];
  const { RegExp: original } = globalThis;
  t.teardown(() => {
    globalThis.RegExp = original;
  });
  globalThis.RegExp = new Proxy(original, {
    construct(target, [source, flags]) {
      compiled.push(String(source));
      return new target(source, flags);
    },
  });
  const [question] = expecting(['/seen here/']);
  await evaluate(api, at, { questions: [question] });
  await body(api.post(`${at}/evaluation-questions`, { questions: [question] }));
  t.strictSame(
    compiled.filter((source) => source.includes('seen here')),
    [],
  );
});

t.test('a pattern that backtracks without end fails its own question', async (t) => {
  const service = await startTestService(t);
  const api = await service.client();
  const at = await lampAgent(api);
  const endless = { ...charging, question: 'How long does it charge?', answer: [['/^(.+)+#$/']] };
  const { status, figures, id } = await evaluate(api, at, { questions: [endless, charging] });
  t.equal(status, 'completed');
  t.match(figures, { failed: 1, right: 1, score: 0.5 });
  t.match((await results(api, at, id, 'verdict=failed')).data, [{ error: { code: 'PATTERN_TIMEOUT' } }]);
});

const cites = (title: string): Citation => ({
  documentId: '01890000-0000-7000-8000-000000000000',
  sourceId: '1',
  sourceType: 'text_snippet',
  title,
  url: null,
  start: 0,
  end: 5,
  quote: 'Reset',
});

const quotes = (title: string): Play =>
  async function* () {
    yield stepStart;
    yield { type: 'text', text: 'It takes 90 minutes.' };
    yield { type: 'step-finish' };
    yield { ...finish(), citations: [cites(title)] };
  };

const numbered = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ ...charging, question: `Question ${n + 1}?` }));

await onEachEngine('two processes ask each question once', async (t, engine) => {
  const { service, api, chat, answerer } = await streamingChat(t, { engine });
  answerer.play(quotes(lamp.title));
  await service.beside();
  const { figures } = await evaluate(api, chat.at(''), { questions: numbered(30) });
  t.match(figures, { questions: 30, right: 30 });
  t.equal(answerer.requests.length, 30);
  t.equal(answerer.placesTaken, 0, 'all permits were released');
  t.ok(
    answerer.requests.every(({ isBackground, isVisitor }) => isBackground && !isVisitor),
    'as background work',
  );
});

/** An answer of the model, then an attempt that fails. */
const fails: Play = () => ({
  // biome-ignore lint/correctness/useYield: it fails before it says anything.
  async *[Symbol.asyncIterator]() {
    throw new ModelFailure('MODEL_UNAVAILABLE', 'down');
  },
});

await onEachEngine('answers of failed attempts count, too', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  answerer.play(quotes(lamp.title), fails, quotes(lamp.title), quotes(lamp.title));
  const followUp = { ...charging, before: ['What is the Halo?'] };
  const { figures } = await evaluate(api, chat.at(''), { questions: [followUp] });
  t.match(figures, { questions: 1, right: 1, failed: 0 });
  const usage = await body(api.get('/workspace'));
  t.match(JSON.stringify(usage), /"answers":3/, 'one of the first attempt, two of the second');
});

await onEachEngine('cancels an evaluation in the middle of an answer', async (t, engine) => {
  const { api, chat, answerer } = await streamingChat(t, { engine });
  const waiting = gate();
  answerer.play(quotes(lamp.title), saysAround('It', waiting, 's'), quotes(lamp.title));
  const at = chat.at('');
  const { id } = await body(api.post<Evaluation>(`${at}/evaluations`, { questions: numbered(3) }));
  await waiting.reached;
  const more = await Promise.all(
    Array.from({ length: 5 }, () => api.post<Evaluation>(`${at}/evaluations`, { questions: [charging] })),
  );
  t.strictSame(more.map(({ status }) => status).sort(), [202, 202, 202, 202, 400], 'five are open');
  for (const { status, body: open } of more)
    if (status === 202) await body(api.post(`${at}/evaluations/${open.id}/cancel`));
  const cancelled = await body(api.post<Evaluation>(`${at}/evaluations/${id}/cancel`));
  t.match(cancelled, { status: 'cancelled', progress: 1, figures: { right: 1 } });
  await until('the end of the answer', () => answerer.placesTaken === 0);
  t.match(await body(api.get<Evaluation>(`${at}/evaluations/${id}`)), { progress: 1 });
});

t.test('an agent keeps its last 20 evaluations, and a deleted one leaves none', async (t) => {
  const { service, api, chat, answerer } = await streamingChat(t);
  answerer.play(quotes(lamp.title));
  const at = chat.at('');
  const ids: string[] = [];
  for (let n = 0; n < 22; n += 1) ids.unshift((await evaluate(api, at, { questions: [charging] })).id);
  const kept = await walk<Evaluation>(api, `${at}/evaluations`, 10);
  t.strictSame(
    kept.map(({ id }) => id),
    ids.slice(0, 20),
  );
  invalid(t, await api.post(`${at}/evaluations`, { questions: [charging], compareTo: ids[21] }), 'compareTo');
  const [oldest = ''] = ids.slice(19, 20);
  const { id } = await evaluate(api, at, { questions: [charging], compareTo: oldest });
  t.match(
    await ended(api, at, id, `?compareTo=${oldest}`),
    { comparison: { same: 1 } },
    'the oldest is kept',
  );
  await body(api.post(`${at}/evaluation-questions`, { questions: [charging] }));
  await body(api.delete(at));
  await leavesNothing(t, service.store, chat.agentId);
});

async function leavesNothing(
  t: Test,
  { evaluations }: Awaited<ReturnType<typeof startTestService>>['store'],
  agentId: string,
): Promise<void> {
  await until('the rows to be deleted', async () => (await evaluations.count(agentId)) === 0);
  t.equal(await evaluations.countKept(agentId), 0);
}
