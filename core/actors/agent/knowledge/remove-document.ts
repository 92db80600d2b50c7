import { seconds } from '../../../ports/clock.port.js';
import type { DocumentRow } from '../../../ports/store/rows.js';
import type { AgentTurnContext } from '../handler.js';
import { reserveStorage } from './storage-allowance.js';

/** Deletes a document with its failure, and releases its storage. */
export async function removeDocument(context: AgentTurnContext, document: DocumentRow): Promise<void> {
  const { turn, rules } = context;
  await turn.documents.delete(document);
  turn.failures.clear(
    document.url === null ? { type: 'file', name: document.title } : { type: 'url', url: document.url },
  );
  await reserveStorage(context, -document.bytes);
  if (document.storagePath !== null)
    await turn.uploads.discard([document.storagePath], seconds(rules.clock.now()));
}
