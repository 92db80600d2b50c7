import { timeSlices } from '../../../fairness/time-slices.js';
import { cleanString } from '../../../knowledge/text/clean-values.js';
import type { IndexedText } from '../../../ports/indexer.port.js';
import type { DocumentRow } from '../../../ports/store/rows.js';
import { contentUnder } from '../../../retrieval/index-text.js';
import type { AgentTurnContext } from '../handler.js';

const MAX_TITLE = 300;

export const titleOf = (title: string | null, fallback: string): string =>
  [...(cleanString(title ?? '').trim() || fallback)].slice(0, MAX_TITLE).join('');

export async function insertDocument(
  { turn }: AgentTurnContext,
  row: Omit<DocumentRow, 'agentId' | 'workspaceId' | 'updatedAt'>,
  text: IndexedText,
): Promise<void> {
  const pause = timeSlices('turn');
  const content = contentUnder(row.title, text);
  await pause();
  const { id: agentId, workspaceId } = turn.agent;
  await turn.documents.insert({ ...row, agentId, workspaceId, updatedAt: row.createdAt }, content);
}
