import type { AgentTurn } from '../../ports/store/agent-turn.js';
import type { CrawlPagePayload, ParseFilePayload } from '../../tasks/task-types.js';
import type { Message } from './messages.js';

/** Reads what these messages are about: in one statement for each table, however many they are. */
export async function foresee({ jobs, documents, uploads }: AgentTurn, messages: Message[]): Promise<void> {
  const submitted = messages.flatMap((message) => (message.kind === 'indexUrl' ? [message.url] : []));
  const events = messages.flatMap((message) => ('event' in message ? [message.event] : []));
  if (events.length === 0) {
    if (submitted.length > 0) await documents.foresee({ ids: [], urls: submitted });
    return;
  }
  const tasks = await jobs.foresee({
    taskIds: events.map(({ taskId }) => taskId),
    jobIds: events.map(({ jobId }) => jobId),
  });
  const over = new Set(events.filter(({ kind }) => kind !== 'started').map(({ taskId }) => taskId));
  const ended = tasks.filter(({ id }) => over.has(id));
  const pages = ended.filter(({ type }) => type === 'crawl_page');
  await documents.foresee({
    ids: pages.flatMap(({ isRetrain, documentId }) => (isRetrain && documentId ? [documentId] : [])),
    urls: [
      ...submitted,
      ...pages.flatMap(({ isRetrain, payload }) => (isRetrain ? [] : [(payload as CrawlPagePayload).url])),
    ],
  });
  await uploads.foresee(
    ended.flatMap(({ type, payload }) =>
      type === 'parse_file' ? [(payload as ParseFilePayload).storagePath] : [],
    ),
  );
}
