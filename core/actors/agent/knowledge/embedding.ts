import { seconds } from '../../../ports/clock.port.js';
import type { DocumentRow, TaskRow } from '../../../ports/store/rows.js';
import { blockBytes, partOfBlock } from '../../../retrieval/vectors/vector-block.js';
import { resultRef } from '../../../tasks/extraction-object.js';
import { type EmbedPayload, embed } from '../../../tasks/types/embed.js';
import type { AgentTurnContext, Handler } from '../handler.js';
import { openJob } from '../jobs/job-opening.js';
import { failedWith, type TaskEnd } from '../jobs/job-progress.js';
import type { SucceededEvent } from '../messages.js';

/* Vectors of documents: a sweep requests them, and tasks deliver them. */

/** How long a task has an exclusive claim to its documents. Longer than all attempts of a task together. */
export const HELD_SECONDS = 6 * 3600;
/** Delay before the vectors of a failed task are requested again. */
export const AGAIN_SECONDS = 1800;

/** Storage path of the texts that a task embeds. */
export const inputRef = (taskId: string): string => resultRef(taskId, 0);

export const embedDocuments: Handler<'embed'> = async (context, { taskId, space, documents }) => {
  const { turn, rules } = context;
  const now = seconds(rules.clock.now());
  if (!(await turn.vectors.claim(space, documents, now, now + HELD_SECONDS))) {
    // Another process has claimed a document, or it has changed. The sweep will retry.
    await turn.uploads.discard([inputRef(taskId)], now);
    return { opened: false };
  }
  await openJob(context, {
    type: 'embed',
    requestId: null,
    tasks: [
      {
        id: taskId,
        type: 'embed',
        target: embed.target({ documents }),
        payload: { space, input: inputRef(taskId), documents },
        documentId: null,
      },
    ],
  });
  return { opened: true };
};

export const finishEmbedding: Handler<'finishEmbedding'> = async ({ turn }, { space }) => ({
  finished: await turn.vectors.finish(space),
});

async function keepVectors(
  context: AgentTurnContext,
  task: TaskRow,
  result: SucceededEvent['outcome'],
): Promise<TaskEnd> {
  const { turn } = context;
  const { space, documents } = task.payload as EmbedPayload;
  const count = documents.reduce((sum, { chunks }) => sum + chunks, 0);
  if (result.kind !== 'embedded' || result.vectors.length !== blockBytes(count, result.dimensions))
    return failedWith('RESULT_DAMAGED');
  const { vectors, dimensions } = result;
  let first = 0;
  const rows = documents.map(({ chunks, ...document }) => {
    const part = partOfBlock(vectors, dimensions, { first, count: chunks });
    first += chunks;
    return { ...document, vectors: part };
  });
  // All vectors of a space must have the same dimensions.
  if (!(await turn.vectors.keep(space, dimensions, rows))) return failedWith('EMBEDDING_BAD_ANSWER');
  await discardInput(context, task);
  return { status: 'completed', documentId: null };
}

/** Schedules another request for the vectors of a failed task. Until then, search matches words only. */
async function putOffVectors(context: AgentTurnContext, task: TaskRow): Promise<void> {
  const { turn, rules } = context;
  const { documents } = task.payload as EmbedPayload;
  await turn.vectors.putOff(
    documents.map(({ documentId }: { documentId: DocumentRow['id'] }) => documentId),
    seconds(rules.clock.now()) + AGAIN_SECONDS,
  );
  await discardInput(context, task);
}

const discardInput = ({ turn, rules }: AgentTurnContext, { id }: TaskRow): Promise<void> =>
  turn.uploads.discard([inputRef(id)], seconds(rules.clock.now()));

export const embedResults = { keep: keepVectors, settleFailure: putOffVectors, release: putOffVectors };
