import { AwsClient } from 'aws4fetch';
import { S3StorageError } from './storage-error.js';

/**
 * @typedef {object} S3Options
 * @property {string} endpoint
 * @property {string} bucket
 * @property {string} prefix
 * @property {string} region
 * @property {string} accessKeyId
 * @property {string} secretAccessKey
 */

const ANSWER_MS = 15_000;
const TRANSFER_MS = 120_000;
/** Backdates signatures, so that clock skew does not make a fresh URL "not yet valid". */
const BACKDATE_SECONDS = 5 * 60;
/** Maximum of the protocol. */
const LONGEST_SECONDS = 7 * 24 * 3600;

/**
 * Signs requests to one bucket; sends nothing yet.
 * @param {S3Options} options
 */
export const openBucket = ({ endpoint, bucket, region, accessKeyId, secretAccessKey }) => {
  const client = new AwsClient({
    accessKeyId,
    secretAccessKey,
    region,
    service: 's3',
    retries: 3, // only of 429 and 5xx, as the protocol advises; every request is repeatable
  });
  const { origin } = new URL(endpoint);
  const urlOf = (/** @type {string} */ key) => new URL(`/${bucket}/${key}`, origin);

  /**
   * Returns a response with status 2xx or one of `expected`, with an unread body. Rejects with STORAGE_FAILED.
   * @param {string} method
   * @param {URL} url
   * @param {{ headers?: Record<string, string>, body?: Uint8Array<ArrayBuffer>, withinMs?: number, expected?:
   * number[] }} [more]
   */
  const send = async (method, url, { headers = {}, body, withinMs = ANSWER_MS, expected = [] } = {}) => {
    // The timeout covers the headers; the reader limits the time for the body.
    const silence = new AbortController();
    const timer = setTimeout(() => silence.abort(), withinMs);
    try {
      const response = await client.fetch(url, {
        method,
        headers,
        signal: silence.signal,
        redirect: 'manual',
        ...(body && { body }),
      });
      if (response.ok || expected.includes(response.status)) return response;
      const code = /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(await response.text())?.[1];
      throw new RefusedError(response.status, code);
    } catch (error) {
      if (error instanceof S3StorageError) throw error;
      throw new S3StorageError('STORAGE_FAILED', `S3 does not answer (${reasonOf(error)})`);
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    origin,

    /**
     * Signs a URL for a PUT of only this object, with any Content-Type, until `expiresAt` (Unix seconds).
     * @param {string} key
     * @param {number} expiresAt
     * @param {number} now Unix seconds.
     */
    signPut: async (key, expiresAt, now) => {
      const from = Math.min(now, expiresAt) - BACKDATE_SECONDS;
      const url = urlOf(key);
      url.searchParams.set('X-Amz-Expires', String(Math.min(expiresAt - from, LONGEST_SECONDS)));
      const datetime = new Date(from * 1000).toISOString().replaceAll(/[:-]|\.\d+/g, '');
      const signed = new URL(
        (await client.sign(url, { method: 'PUT', aws: { signQuery: true, datetime } })).url,
      );
      return { uploadUrl: signed.href, token: signed.searchParams.get('X-Amz-Signature') ?? '' };
    },

    /**
     * Returns size and etag; null if the object is missing.
     * @param {string} key
     */
    look: async (key) => {
      const { status, headers } = await send('HEAD', urlOf(key), { expected: [404] });
      if (status === 404) return null;
      return { bytes: Number(headers.get('content-length') ?? 0), etag: etagOf(headers) };
    },

    /**
     * @param {string} key
     * @returns {Promise<{ etag: string, body: ReadableStream<Uint8Array> | null } | null>} null if the object is
     * missing.
     */
    read: async (key) => {
      const response = await send('GET', urlOf(key), { expected: [404] });
      if (response.status !== 404) return { etag: etagOf(response.headers), body: response.body };
      await response.body?.cancel();
      return null;
    },

    /**
     * @param {string} key
     * @param {Uint8Array} bytes
     */
    write: async (key, bytes) => {
      const response = await send('PUT', urlOf(key), { body: new Uint8Array(bytes), withinMs: TRANSFER_MS });
      await response.body?.cancel();
    },

    /**
     * Copies an object with this etag on the server; false if it is missing or changed.
     * @param {string} from
     * @param {string} to
     * @param {string} etag
     */
    copy: async (from, to, etag) => {
      const response = await send('PUT', urlOf(to), {
        headers: { 'x-amz-copy-source': urlOf(from).pathname, 'x-amz-copy-source-if-match': `"${etag}"` },
        withinMs: TRANSFER_MS,
        expected: [404, 412],
      });
      // A late failure of a copy is in the body of a 200.
      const text = await response.text();
      if (response.ok && !text.includes('<Error>')) return true;
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
      if (code === 'NoSuchKey' || code === 'PreconditionFailed') return false;
      throw new RefusedError(response.status, code);
    },

    /**
     * A missing object counts as deleted.
     * @param {string} key
     */
    remove: async (key) => {
      const response = await send('DELETE', urlOf(key), { expected: [404] });
      await response.body?.cancel();
    },

    /**
     * Uses ListObjects v1: its marker is a key, so no continuation token is needed.
     * @param {{ prefix: string, after: string | null, limit: number }} page
     */
    list: async ({ prefix, after, limit }) => {
      const url = new URL(`/${bucket}`, origin);
      const query = { prefix, 'max-keys': String(limit), ...(after && { marker: after }) };
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      const text = await (await send('GET', url)).text();
      const objects = [...text.matchAll(/<Contents>.*?<\/Contents>/gs)].map(([each]) => ({
        key: /<Key>([^<]*)</.exec(each)?.[1] ?? '',
        modifiedMs: Date.parse(/<LastModified>([^<]*)</.exec(each)?.[1] ?? ''),
      }));
      return { objects, isLast: !text.includes('<IsTruncated>true<') };
    },

    /**
     * Rejects if the bucket is missing, forbidden, or does not answer in time.
     * @param {number} withinMs
     */
    probe: async (withinMs) => {
      await send('HEAD', new URL(`/${bucket}`, origin), { withinMs });
    },
  };
};

/** @typedef {ReturnType<typeof openBucket>} Bucket */

/** The server answered with an error. */
export class RefusedError extends S3StorageError {
  /**
   * @param {number} status
   * @param {string | undefined} code
   */
  constructor(status, code) {
    super('STORAGE_FAILED', `S3 answers ${status}${code === undefined ? '' : ` ${code}`}`);
    this.status = status;
  }
}

/** @param {Headers} headers */
const etagOf = (headers) => (headers.get('etag') ?? '').replaceAll('"', '');

/**
 * `fetch` hides the reason in the cause, and some messages contain the URL.
 * @param {unknown} error
 */
const reasonOf = (error) => {
  if (!(error instanceof Error)) return 'unexpected error';
  if (error.name === 'AbortError') return 'no answer in time';
  const { cause } = error;
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.name;
};
