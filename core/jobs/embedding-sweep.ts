import { v7 as uuidv7 } from 'uuid';
import type { Agents } from '../actors/agent/agents.js';
import { inputRef } from '../actors/agent/knowledge/embedding.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { EmbeddingModel } from '../ports/embedding.port.js';
import type { Log } from '../ports/log.port.js';
import { type Storage, StorageError } from '../ports/storage.port.js';
import type { KnowledgeReads, KnownDocument } from '../ports/store/knowledge/knowledge-reads.js';
import type { VectorSweeps } from '../ports/store/knowledge/vectors.js';
import { AgentGone, StoreUnavailable } from '../ports/store/store-errors.js';
import { encodeTexts } from '../tasks/types/embed.js';
import type { Sweep } from './sweeper.js';

interface EmbeddingSweepOptions {
  sweeps: VectorSweeps;
  reads: Pick<KnowledgeReads, 'document'>;
  agents: Agents;
  storage: Pick<Storage, 'put' | 'delete'>;
  model: EmbeddingModel;
  /** Maximum number of chunks of an agent. Agents with more get no vectors. */
  mostChunks: number;
  clock: Clock;
  log: Log;
}

/**
 * Maximum number of open tasks, of all agents and of one. Kept small, because they share the windows with pages and
 * files.
 */
const OPEN = 16;
const OPEN_OF_AGENT = 4;
const AGENTS = 50;
/** A time that includes documents whose retry is not due yet. */
const ANY_TIME = Number.MAX_SAFE_INTEGER;
/** Maximum size of a task's texts in UTF-16 units. A single document may exceed it. */
const TEXT_UNITS = 262_144;
const TOO_LARGE_MS = 5000;
/** Age at which entries of `tooLarge` are deleted. */
const FORGOTTEN_MS = 3_600_000;

/**
 * Creates tasks for documents without vectors in the model's space: new and changed documents, and all documents
 * after a change of the model. Each task contains one batch.
 */
export function createEmbeddingSweep(options: EmbeddingSweepOptions): Sweep {
  const { sweeps, reads, agents, storage, model, mostChunks, clock, log } = options;
  const { space, batch } = model;
  /** Time of the next check of each agent that is too large, because a check is expensive. */
  const tooLarge = new Map<string, number>();
  let after = '';
  let hasChosen = false;

  /** Returns the documents of the next task; empty if none is due. */
  async function nextDocuments(agentId: string): Promise<KnownDocument[]> {
    const ids = await sweeps.documentsToEmbed(agentId, space, seconds(clock.now()), batch);
    const documents: KnownDocument[] = [];
    let [chunks, units] = [0, 0];
    for (const documentId of ids) {
      if (chunks >= batch || units >= TEXT_UNITS) break;
      const document = await reads.document(agentId, documentId);
      if (document === null) continue;
      documents.push(document);
      chunks += document.chunks.length;
      units += document.text.length;
    }
    return documents;
  }

  /** Creates the next task. Returns false if no document is due. */
  async function createTask(agentId: string): Promise<boolean> {
    const documents = await nextDocuments(agentId);
    if (documents.length === 0) {
      tooLarge.delete(agentId);
      return false;
    }
    const chunks = documents.reduce((sum, document) => sum + document.chunks.length, 0);
    if (
      (await sweeps.chunks(
        agentId,
        documents.map(({ id }) => id),
      )) +
        chunks >
      mostChunks
    ) {
      warnTooLarge(agentId);
      return false;
    }
    const taskId = uuidv7();
    await storage.put(inputRef(taskId), encodeTexts(documents.flatMap(textsOf)));
    const named = documents.map(({ id, version, chunks: { length } }) => ({
      documentId: id,
      version,
      chunks: length,
    }));
    try {
      return (await agents.send(agentId, { kind: 'embed', taskId, space, documents: named })).opened;
    } catch (error) {
      // Delete the texts, because no row refers to them. Keep them if the database failed: the turn may have
      // committed.
      if (!(error instanceof StoreUnavailable)) await storage.delete(inputRef(taskId)).catch(() => {});
      throw error;
    }
  }

  function warnTooLarge(agentId: string): void {
    if (!tooLarge.has(agentId))
      log.warn(
        { agentId, mostChunks },
        'an agent has more chunks than retrieval.maxVectorChunks: it is searched by words alone',
      );
    tooLarge.set(agentId, clock.now() + TOO_LARGE_MS);
  }

  /** Creates up to `places` tasks. Returns their number. */
  async function advance(agentId: string, places: number): Promise<number> {
    if ((tooLarge.get(agentId) ?? 0) > clock.now()) return 0;
    let opened = 0;
    while (opened < places && (await createTask(agentId))) opened += 1;
    if (opened > 0 || places < OPEN_OF_AGENT || tooLarge.has(agentId)) return opened;
    // The agent is not finished while any of its documents waits for a retry.
    if ((await sweeps.documentsToEmbed(agentId, space, ANY_TIME, 1)).length > 0) return opened;
    const { finished } = await agents.send(agentId, { kind: 'finishEmbedding', space });
    if (finished)
      log.info({ agentId, space, left: await sweeps.left(space) }, 'all documents of an agent have vectors');
    return opened;
  }

  /**
   * Returns whether this process has the installation's current model. The process that started last chooses it,
   * because processes with different models would undo each other's work.
   */
  async function isOurs(): Promise<boolean> {
    if (!hasChosen) await sweeps.choose(space);
    hasChosen = true;
    return (await sweeps.chosen()) === space;
  }

  return {
    name: 'embed',
    everyMs: 1000,
    async run() {
      if (!(await isOurs())) return false;
      for (const [id, until] of tooLarge) if (until < clock.now() - FORGOTTEN_MS) tooLarge.delete(id);
      const open = await sweeps.open();
      let free = OPEN - [...open.values()].reduce((sum, n) => sum + n, 0);
      const waiting = await sweeps.agentsToEmbed(space, after, AGENTS);
      after = waiting.length < AGENTS ? '' : (waiting.at(-1) ?? '');
      let opened = 0;
      for (const agentId of waiting) {
        const places = Math.min(free, OPEN_OF_AGENT - (open.get(agentId) ?? 0));
        if (places <= 0) continue;
        const more = await advance(agentId, places).catch((error: unknown) => {
          // If the storage or the database fails, all agents would fail.
          if (error instanceof StorageError || error instanceof StoreUnavailable) throw error;
          if (!(error instanceof AgentGone))
            log.warn(
              { err: error, agentId },
              'could not create the embedding tasks of an agent; trying again',
            );
          return 0;
        });
        opened += more;
        free -= more;
      }
      return opened > 0 && free > 0;
    },
  };
}

/**
 * Returns the text to embed for each chunk of a document. It includes the title and headings, which are part of a
 * chunk's meaning.
 */
const textsOf = ({ title, text, chunks }: KnownDocument): string[] =>
  chunks.map(({ start, end, headings }) => [title, ...headings, text.slice(start, end)].join('\n'));
