import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { invalidField } from '../../errors/api-error.js';
import type { PageRequest } from '../../ports/store/pages.js';
import { limits } from '../../schemas/limits.js';

const MAC_BYTES = 16;

export const NOT_ISSUED = 'is not a cursor of this list; start again without it';

export interface Cursors {
  /** Returns false for a cursor that is forged or was issued for another list. */
  issued(list: string, cursor: string): boolean;
  /** Converts `limit` and `cursor` of a query into a page request. Throws 400 if the cursor is not from this list. */
  request(list: string, query: { limit?: number; cursor?: string }): PageRequest;
  /** Returns a page. `rows` may have one row more than the limit: then there is a next page. */
  page<R extends { id: string | number }, T>(
    list: string,
    request: PageRequest,
    rows: R[],
    total: number,
    present: (row: R) => T,
  ): { data: T[]; pagination: { cursor: string | null; hasMore: boolean; total: number } };
}

/**
 * A cursor is the id of the last item of a page, with a MAC over that id and the name of the list. It stays valid when rows
 * are added or deleted.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'cadre list cursors', 32));
  const mac = (list: string, id: string) =>
    createHmac('sha256', key).update(`${list}\0${id}`).digest().subarray(0, MAC_BYTES);
  const encode = (list: string, id: string) =>
    Buffer.concat([mac(list, id), Buffer.from(id)]).toString('base64url');

  function decode(list: string, cursor: string): string | null {
    const bytes = Buffer.from(cursor, 'base64url');
    const id = bytes.subarray(MAC_BYTES).toString();
    const genuine =
      bytes.length > MAC_BYTES &&
      timingSafeEqual(mac(list, id), bytes.subarray(0, MAC_BYTES)) &&
      // Compare the text, because several base64url texts decode to the same bytes.
      encode(list, id) === cursor;
    return genuine ? id : null;
  }

  return {
    issued: (list, cursor) => decode(list, cursor) !== null,
    request(list, { limit = limits.page.default, cursor }) {
      if (cursor === undefined) return { limit, before: null };
      const before = decode(list, cursor);
      if (before === null) throw invalidField('cursor', NOT_ISSUED);
      return { limit, before };
    },
    page(list, { limit }, rows, total, present) {
      const shown = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      const last = shown.at(-1);
      return {
        data: shown.map(present),
        pagination: { cursor: hasMore && last ? encode(list, String(last.id)) : null, hasMore, total },
      };
    },
  };
}
