import { setImmediate as inNextIteration } from 'node:timers/promises';
import type { PageRequest } from '../../ports/store/pages.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import type { Services } from '../services.js';
import { presentedAll } from './answers.js';
import type { Speakers } from './message-metadata.js';

/** Bytes of memory per stored byte: for the row, the presented message, its JSON text, and the encoded text. */
const READING_COST = 4;

type Reserve = (bytes: number) => void;

/** Reads a page of messages, newest first, and one more row if it exists. Large messages shorten the page. */
export async function readMessagePage(
  { conversationReads }: Services,
  conversationId: string,
  asked: PageRequest,
  reserve: Reserve,
) {
  const { messages, bytes } = await conversationReads.fitting(conversationId, asked, limits.chat.pageBytes);
  reserve(bytes * READING_COST);
  const request = { ...asked, limit: messages };
  return { request, rows: await conversationReads.messages(conversationId, request) };
}

/**
 * Returns as many of these conversations, with their messages, as fit on a page. The first conversation is always included.
 * If it is larger than a page, only its newest messages are included.
 *
 * @param present presents a conversation without its messages
 */
export async function exportWithMessages<R extends Omit<Speakers, 'audience'>>(
  services: Services,
  rows: R[],
  present: (row: R) => JsonObject,
  reserve: Reserve,
): Promise<JsonObject[]> {
  const { conversationReads } = services;
  const { exportMessages, exportToolOutputBytes, pageBytes } = limits.chat;
  const newest = { limit: exportMessages, before: null };
  const exported: JsonObject[] = [];
  let total = 0;
  for (const row of rows) {
    const { messages: limit, bytes } = await conversationReads.fitting(row.id, newest, pageBytes);
    if (exported.length > 0 && total + bytes > pageBytes) break;
    total += bytes;
    reserve(total * READING_COST);
    const messages = await conversationReads.messages(row.id, { ...newest, limit });
    const shown = messages.slice(0, limit).reverse();
    exported.push({
      ...present(row),
      messages: await presentedAll(
        services,
        shown,
        { id: row.id, userId: row.userId, audience: 'key' },
        exportToolOutputBytes,
      ),
      ...(messages.length > limit ? { truncated: true } : {}),
    });
    // With SQLite, this loop never waits for I/O. Let other requests run.
    await inNextIteration();
  }
  return exported;
}
