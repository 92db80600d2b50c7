import type { AgentTurn, NewJob } from '../../ports/store/agent-turn.js';
import type { CrawlPagePayload, ParseFilePayload } from '../../tasks/task-types.js';
import type { TaskEvent } from '../../tasks/wire.js';
import { newJob } from './job-opening.js';
import type { Letter } from './letter.js';
import type { Message } from './messages.js';
import type { AgentRules } from './rules.js';

/**
 * Reads what these messages are about: one statement for each table, however many messages there are, and
 * nearly all at once. It may run before it is certain that the remembered agent is current.
 */
export async function foresee(turn: AgentTurn, rules: AgentRules, letters: Letter[]): Promise<void> {
  const { jobs, documents, uploads } = turn;
  const messages = letters.map(({ message }) => message);
  const submitted = messages.flatMap((message) => (message.kind === 'indexUrl' ? [message.url] : []));
  const events = messages.flatMap((message) => ('event' in message ? [message.event] : []));
  const readWorkspace = async () => {
    if (messages.some(needsStorage)) await turn.workspaceNow();
  };
  if (events.length + submitted.length === 0) return readWorkspace();
  const over = events.filter(({ kind }) => kind !== 'started');
  const asking = submitted.length + over.length;
  const [tasks] = await Promise.all([
    jobs.foresee({
      taskIds: events.map(({ taskId }) => taskId),
      jobIds: events.map(({ jobId }) => jobId),
      newPages: submitted,
      newJobs: letters.flatMap((letter) => jobOf(rules, letter)),
      // As many as end make room; the next of them says since when the agent waits.
      waiting: asking > 0 ? asking + 1 : 0,
    }),
    documents.foresee({ ids: [], urls: [...submitted, ...over.flatMap(pageOf)] }),
    readWorkspace(),
  ]);
  const ids = new Set(over.map(({ taskId }) => taskId));
  const ended = tasks.filter(({ id }) => ids.has(id));
  const pages = ended.filter(({ type }) => type === 'crawl_page');
  await Promise.all([
    documents.foresee({
      ids: pages.flatMap(({ isRetrain, documentId }) => (isRetrain && documentId ? [documentId] : [])),
      urls: pages.flatMap(({ isRetrain, payload }) => (isRetrain ? [] : [(payload as CrawlPagePayload).url])),
    }),
    uploads.foresee(
      ended.flatMap(({ type, payload }) =>
        type === 'parse_file' ? [(payload as ParseFilePayload).storagePath] : [],
      ),
    ),
  ]);
}

/** Most submitted pages are new. For one that is not, the job made ahead is corrected. */
const jobOf = (rules: AgentRules, { message, span }: Letter): NewJob[] => {
  if (message.kind !== 'indexUrl') return [];
  const context = { rules, traceparent: span?.traceparent ?? null };
  return [{ ...newJob(context, { type: 'index_url', requestId: message.requestId }), tasksCount: 1 }];
};

/** The page as the worker names it. Secret parts of a URL are left out; such a page is looked up a moment later. */
const pageOf = ({ target }: Pick<TaskEvent, 'target'>): string[] =>
  target?.startsWith('http') && !target.includes('?') ? [target] : [];

/** Whether the message brings content that is charged to the workspace's storage. */
const needsStorage = (message: Message): boolean =>
  message.kind === 'taskSucceeded'
    ? message.event.outcome.kind === 'extracted'
    : message.kind === 'learn' || message.kind === 'revise' || message.kind === 'indexUrl';
