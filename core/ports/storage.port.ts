import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { Health } from './health.js';

/**
 * Keeps uploaded files and big results. Paths are slash-separated, made by core, and hold only `[A-Za-z0-9._/-]`.
 * Foreign errors never leak: a missing object is `null` or OBJECT_MISSING, everything else is STORAGE_FAILED.
 */
export interface Storage {
  /**
   * A URL to which the bytes of exactly this object can be PUT with only `Content-Type`, until `expiresAt`
   * (Unix seconds, with a fraction). It never allows reading. `origin` is the public origin of this API (`https://host`), for
   * plugins that receive the bytes here.
   */
  signUpload(path: string, options: { expiresAt: number; origin: string }): Promise<SignedUpload>;

  /**
   * Fixes what was uploaded, and says what it is: after this the upload URL cannot change the object unnoticed.
   * null when nothing is there. Calling it again gives the same answer. An object that is empty or over
   * `maxBytes` is reported with its size and left unfixed, so that the client can upload again.
   */
  sealUpload(path: string, options: { maxBytes: number }): Promise<SealedUpload | null>;

  /**
   * Streams the sealed object. Rejects with OBJECT_MISSING or, when it is not the one with that etag, OBJECT_CHANGED.
   */
  open(path: string, etag: string): Promise<Readable>;

  /** Writes a whole object, replacing what is there. */
  put(path: string, bytes: Uint8Array): Promise<void>;

  /** The whole object; null when there is none. */
  get(path: string): Promise<Buffer | null>;

  /** Idempotent: deleting a missing object is fine. Deletes sealed, unsealed and half-uploaded objects alike. */
  delete(path: string): Promise<void>;

  /**
   * Optional: lists the objects, sealed or not, that were last written before `before` (Unix seconds), in any
   * order, so that strays can be found. `after` is `next` of the call before, null at first; `next` is null
   * at the end. A page may be empty.
   */
  list?: (options: { before: number; after: string | null; limit: number }) => Promise<ObjectPage>;

  /** Only for plugins that receive uploads in this process: answers requests under `/uploads/`. */
  receive?: (request: IncomingMessage, response: ServerResponse) => void;

  /**
   * Only for plugins whose upload URLs lead elsewhere: the origin (`https://host`) that the console must be
   * allowed to send files to.
   */
  uploadOrigin?: string;

  health(): Promise<Health>;
}

export interface ObjectPage {
  paths: string[];
  next: string | null;
}

export interface SignedUpload {
  uploadUrl: string;
  /** The signed part, also embedded in `uploadUrl`. */
  token: string;
}

export interface SealedUpload {
  bytes: number;
  /** Opaque; identifies these very bytes. */
  etag: string;
}

export type StorageErrorCode = 'OBJECT_MISSING' | 'OBJECT_CHANGED' | 'STORAGE_FAILED';

export class StorageError extends Error {
  readonly code: StorageErrorCode;
  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StorageError';
    this.code = code;
  }
}

const wellFormed = /^[A-Za-z0-9._-]+(?:\/[A-Za-z0-9._-]+)*$/;
const MAX_LENGTH = 1024;

/**
 * Throws STORAGE_FAILED unless `path` is one that core makes: no empty, `.` or `..` segment, nothing but
 * `[A-Za-z0-9._/-]`. A path that a URL or a file system changes on the way would name somebody else's object.
 */
export function checkStoragePath(path: string): void {
  const clean = path.length <= MAX_LENGTH && wellFormed.test(path);
  if (!clean || path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw new StorageError('STORAGE_FAILED', 'not a storage path');
}
