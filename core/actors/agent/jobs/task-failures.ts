import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../../../ports/clock.port.js';
import type { FailedTarget } from '../../../ports/store/agents/failures.js';
import type { TaskRow } from '../../../ports/store/rows.js';
import type { JobTaskType } from '../../../tasks/task-types.js';
import type { AgentTurnContext } from '../handler.js';

/** What a task reads; null for tasks that concern no single page or file. */
const targets: Record<JobTaskType, ((target: string) => FailedTarget) | null> = {
  crawl_page: (url) => ({ type: 'url', url }),
  parse_file: (name) => ({ type: 'file', name }),
  recognise_pages: (name) => ({ type: 'file', name }),
  read_sitemap: null,
  // A site may have hundreds of dead links; its job counts them.
  read_site_page: null,
  embed: null,
};

/** Keeps the failure of a page or file until it is read (`error` null), so that its maker finds it. */
export async function noteFailure(
  { turn, rules }: AgentTurnContext,
  { type, target: subject, documentId, jobId }: TaskRow,
  error: TaskRow['error'],
): Promise<void> {
  const target = targets[type]?.(subject);
  if (!target) return;
  if (error === null) return turn.failures.clear(target);
  const source = documentId === null ? null : await turn.documents.find(documentId);
  turn.failures.record({
    id: uuidv7(),
    type: target.type,
    name: source?.title ?? subject,
    url: target.type === 'url' ? target.url : null,
    code: error.code,
    reason: error.message,
    jobId,
    at: seconds(rules.clock.now()),
  });
}
