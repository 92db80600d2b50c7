import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent } from '../../test/support/api-client.js';
import { type SampleFile, sampleFiles } from '../../test/support/sample-files.js';
import { checkAgent, checkJob, checkLessons, walk } from './agent-checks.js';
import type { Caller, Outcome } from './caller.js';
import { fieldNames, fields } from './fields.js';
import { siteOrigin } from './installation.js';
import { createRegister, isOver, type KnownAgent, type Ledger } from './ledger.js';
import type { Random } from './random.js';

/** Maximum number of agents of a visitor. */
const AGENTS = 4;
const MOST_LESSONS = 60;

/**
 * A client that sends one request at a time, for its own agents, through both APIs, and records acknowledgements. No
 * one else changes its agents, so it knows their expected state.
 */
export async function visit(
  visitor: number,
  {
    caller,
    ledger,
    random,
    pauseMs,
    over,
  }: {
    caller: Caller;
    ledger: Ledger;
    random: Random;
    pauseMs: number;
    over: () => boolean;
  },
): Promise<void> {
  const mine: KnownAgent[] = [];
  let counter = 0;
  /** Unique among all visitors. */
  const unique = (what: string): string => `${what} ${visitor}.${++counter}`;
  const openJobs = (agent: KnownAgent) => [...agent.jobs].filter(([, { status }]) => !isOver(status));

  /** 404 for an existing agent is data loss; other 4xx are wrong for a visitor's requests. */
  const refused = (what: string, agent: KnownAgent, outcome: Outcome<unknown>): void => {
    if (outcome.kind === 'refused')
      caller.wrong(`${what} of agent ${agent.id} (${agent.life}): ${outcome.status} ${outcome.code}`);
  };

  async function createAgent(): Promise<void> {
    const name = unique('Agent');
    const outcome = await caller.call<Agent>('POST', '/agents', { name });
    if (outcome.kind === 'unknown') ledger.possibleAgents.add(name);
    if (outcome.kind === 'refused') caller.wrong(`POST /agents: ${outcome.status} ${outcome.code}`);
    if (outcome.kind !== 'done') return;
    const known: KnownAgent = {
      id: outcome.body.id,
      life: 'there',
      fields: new Map(fieldNames.map((field) => [field, createRegister(field === 'name' ? name : null)])),
      lessons: new Map(),
      possibleLessons: new Set(),
      pages: new Map(),
      deletedFiles: new Set(),
      jobs: new Map(),
    };
    mine.push(known);
    ledger.agents.push(known);
  }

  async function deleteAgent(agent: KnownAgent): Promise<void> {
    mine.splice(mine.indexOf(agent), 1);
    agent.life = 'unsure';
    const outcome = await caller.call('DELETE', `/agents/${agent.id}`);
    refused('DELETE', agent, outcome);
    if (outcome.kind === 'done') agent.life = 'gone';
  }

  async function change(agent: KnownAgent): Promise<void> {
    const name = random.pick(fieldNames);
    const field = fields[name];
    counter += 1;
    const value = field.value(counter);
    const askedAt = Date.now();
    const outcome = await caller.call('PATCH', `/agents/${agent.id}${field.path}`, field.body(value));
    refused('PATCH', agent, outcome);
    if (outcome.kind !== 'refused') agent.fields.get(name)?.written(value, outcome.kind, askedAt);
  }

  async function look(agent: KnownAgent): Promise<void> {
    const outcome = await caller.call<Agent>('GET', `/agents/${agent.id}`);
    refused('GET', agent, outcome);
    if (outcome.kind === 'done') checkAgent(caller, agent, outcome.body);
  }

  async function teach(agent: KnownAgent): Promise<void> {
    if (agent.lessons.size >= MOST_LESSONS) return;
    const title = unique('Lesson');
    const text = `What ${title} says is this. `.repeat(random.between(1, 200)).trim();
    const [path, body] = random.chance(0.5)
      ? ['text', { title, content: text }]
      : ['qna', { title, questions: [`What does ${title} say?`], answer: text }];
    const outcome = await caller.call<{ documentId: string }>(
      'POST',
      `/agents/${agent.id}/sources/${path}`,
      body as object,
    );
    refused('POST source', agent, outcome);
    if (outcome.kind === 'done') agent.lessons.set(outcome.body.documentId, { title, text, life: 'there' });
    else if (outcome.kind === 'unknown') agent.possibleLessons.add(title);
  }

  async function forget(agent: KnownAgent): Promise<void> {
    const id = [...agent.lessons].find(([, { life }]) => life === 'there')?.[0];
    const lesson = agent.lessons.get(id ?? '');
    if (id === undefined || lesson === undefined) return;
    lesson.life = 'unsure';
    const outcome = await caller.call('DELETE', `/agents/${agent.id}/sources/${id}`);
    refused('DELETE source', agent, outcome);
    if (outcome.kind === 'done') lesson.life = 'gone';
  }

  async function recall(agent: KnownAgent): Promise<void> {
    for (const [id, { text, life, title }] of agent.lessons) {
      if (life !== 'there' || !random.chance(0.2)) continue;
      const outcome = await caller.call<{ text: string }>('GET', `/agents/${agent.id}/sources/${id}/content`);
      refused('GET content', agent, outcome);
      if (outcome.kind === 'done' && !outcome.body.text.includes(text))
        caller.wrong(`agent ${agent.id}: the content of ${title} is another one`);
      return;
    }
  }

  async function addPage(agent: KnownAgent): Promise<void> {
    const again = agent.pages.size > 0 && random.chance(0.3);
    const known = [...agent.pages.keys()];
    const url = again
      ? (known[random.between(0, known.length - 1)] ?? '')
      : `${siteOrigin}/visitor-${visitor}/${++counter}`;
    const outcome = await caller.call<{ jobId: string }>('POST', `/agents/${agent.id}/sources/url`, { url });
    refused('POST url', agent, outcome);
    if (outcome.kind === 'refused') return;
    if (agent.pages.get(url) !== 'done') agent.pages.set(url, outcome.kind);
    if (outcome.kind === 'done')
      agent.jobs.set(outcome.body.jobId, { kind: 'page', status: 'pending', sentences: {} });
  }

  async function addFiles(agent: KnownAgent): Promise<void> {
    const sentence = `The file of ${unique('upload')} says so.`;
    const all = sampleFiles(() => sentence);
    const chosen = all.slice(random.between(0, 3), random.between(4, 6)).slice(0, 2);
    const files = await Promise.all(await upload(agent, chosen));
    if (files.includes(null)) return;
    const outcome = await caller.call<{ jobId: number }>('POST', `/agents/${agent.id}/sources/file`, {
      files,
    });
    refused('POST file', agent, outcome);
    if (outcome.kind !== 'done') return;
    const sentences = Object.fromEntries(chosen.map(({ fileName }) => [fileName, sentence]));
    agent.jobs.set(String(outcome.body.jobId), { kind: 'files', status: 'pending', sentences });
  }

  async function upload(
    agent: KnownAgent,
    files: SampleFile[],
  ): Promise<Promise<{ fileName: string; storagePath: string } | null>[]> {
    const signed = await caller.call<{
      files: { fileName: string; storagePath: string; uploadUrl: string }[];
    }>('POST', `/agents/${agent.id}/sources/file/upload-url`, {
      files: files.map(({ fileName }) => ({ fileName })),
    });
    refused('POST upload-url', agent, signed);
    if (signed.kind !== 'done') return [Promise.resolve(null)];
    return signed.body.files.map(async ({ fileName, storagePath, uploadUrl }, n) => {
      const file = files[n];
      const taken = file !== undefined && (await caller.put(uploadUrl, file.type, file.bytes));
      return taken ? { fileName, storagePath } : null;
    });
  }

  async function train(agent: KnownAgent): Promise<void> {
    if (openJobs(agent).length > 3) return;
    const outcome = await caller.call<{ jobId: string | null }>('POST', `/agents/${agent.id}/train`);
    refused('POST train', agent, outcome);
    if (outcome.kind === 'done' && outcome.body.jobId !== null)
      agent.jobs.set(outcome.body.jobId, { kind: 'retrain', status: 'pending', sentences: {} });
  }

  async function poll(agent: KnownAgent): Promise<void> {
    for (const [id] of openJobs(agent).slice(0, 2)) {
      const outcome = await caller.call<never>('GET', `/agents/${agent.id}/jobs/${id}`);
      refused('GET job', agent, outcome);
      if (outcome.kind === 'done') checkJob(caller, agent, id, outcome.body);
    }
    refused('GET train', agent, await caller.call('GET', `/agents/${agent.id}/train`));
  }

  async function list(agent: KnownAgent): Promise<void> {
    const found = await walk<never>(caller, `/agents/${agent.id}/sources`, random.pick([7, 20, 100]));
    if (found !== null) checkLessons(caller, agent, found.items);
  }

  async function ask(agent: KnownAgent): Promise<void> {
    const [lesson] = agent.lessons.values();
    const message = random.chance(0.7)
      ? `What does ${lesson?.title ?? 'the manual'} say?`
      : 'Who was Zanzibar?';
    const said = await caller.call<{ id: string | null; metadata: { conversationId: string | null } }>(
      'POST',
      `/agents/${agent.id}/chat`,
      { message, stream: false, userId: `visitor-${visitor}` },
    );
    refused('POST chat', agent, said);
    if (said.kind !== 'done') return;
    const { id, metadata } = said.body;
    // The agent's rate limit is reached: its message is not stored.
    if (id === null) return;
    const conversation = `/agents/${agent.id}/conversations/${metadata.conversationId}`;
    if (random.chance(0.5)) {
      const feedback = random.pick(['positive', 'negative', null]);
      const path = `${conversation}/messages/${id}/feedback`;
      refused('PATCH feedback', agent, await caller.call('PATCH', path, { feedback }));
    }
    if (random.chance(0.3)) {
      const again = { messageId: id, stream: false };
      refused('POST retry', agent, await caller.call('POST', `${conversation}/retry`, again));
    }
  }

  const habits: [number, (agent: KnownAgent) => Promise<void>][] = [
    [20, change],
    [14, look],
    [16, teach],
    [5, forget],
    [6, recall],
    [10, addPage],
    [5, addFiles],
    [2, train],
    [12, poll],
    [10, ask],
    [6, list],
    [1, deleteAgent],
  ];
  const weight = habits.reduce((sum, [share]) => sum + share, 0);
  while (!over()) {
    const agent = mine[random.between(0, mine.length - 1)];
    if (agent === undefined || (mine.length < AGENTS && random.chance(0.05))) {
      await createAgent();
    } else {
      let at = random.next() * weight;
      const habit = habits.find(([share]) => {
        at -= share;
        return at < 0;
      });
      await habit?.[1](agent);
    }
    await sleep(pauseMs * (0.5 + random.next()));
  }
}
