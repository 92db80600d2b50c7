/** @import { Health } from 'cadre/plugin' */

/**
 * An error with the `code` that Cadre expects of the kind of plugin.
 * @param {string} code
 * @param {string} message For operators; must not hold secrets.
 * @param {{ cause?: unknown, retryAfterMs?: number }} [options]
 */
export const failed = (code, message, { cause, retryAfterMs = 0 } = {}) =>
  Object.assign(new Error(message, { cause }), { code, retryAfterMs });

/** The server refuses the request itself, so that a repetition cannot help. */
const REFUSALS = [400, 401, 403, 404];

/**
 * @param {{ url: string, token?: string }} options
 * @param {'MODEL' | 'EMBEDDING'} kind Prefix of the codes of failures.
 */
export function openServer({ url, token }, kind) {
  const stopping = new AbortController();
  /** @type {Health} */
  let health = { ok: true };

  /**
   * @param {string} path
   * @param {object} body
   * @param {AbortSignal} signal
   */
  async function post(path, body, signal) {
    const either = AbortSignal.any([signal, stopping.signal]);
    either.throwIfAborted();
    let response;
    try {
      response = await fetch(url + path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
        signal: either,
      });
    } catch (cause) {
      either.throwIfAborted();
      throw failed(`${kind}_UNAVAILABLE`, 'the server cannot be reached', { cause });
    }
    if (response.ok) return response;
    await response.body?.cancel();
    const { status, headers } = response;
    if (REFUSALS.includes(status)) throw failed(`${kind}_REFUSED`, `the server answered ${status}`);
    const retryAfterMs = 1000 * (Number(headers.get('retry-after')) || 0);
    throw failed(`${kind}_UNAVAILABLE`, `the server answered ${status}`, { retryAfterMs });
  }

  return {
    post,
    /** Notes the result of a call. An aborted call is no sign of a fault of the server. @param {unknown} [error] */
    note(error) {
      if (error === undefined) health = { ok: true };
      else if (error instanceof Error && 'code' in error) health = { ok: false, reason: error.message };
    },
    /** @returns {Health} */
    health: () => (stopping.signal.aborted ? { ok: false, reason: 'the plugin was stopped' } : health),
    stop: async () => stopping.abort(new Error('the plugin was stopped')),
  };
}
