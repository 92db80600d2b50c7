import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** Lengths in bytes. */
const KEY = 32;
const KEY_ID = 9;
const NONCE = 12;
const TAG = 16;

interface KeyringOptions {
  /** `secrets.key` and `secrets.previousKeys`. */
  key: string | null;
  previousKeys: readonly string[];
  /** The installation's secret, from which keys derive if `key` is null. */
  installation: Uint8Array;
}

/** The keys for one purpose, by id. */
export interface DerivedKeys {
  currentId: string;
  byId: ReadonlyMap<string, Uint8Array>;
}

/** Derives keys for signing. Encrypts and decrypts secrets. */
export interface Keyring {
  /** Returns the current and previous keys for a purpose. A key for one purpose does not reveal a key for another. */
  derive(purpose: string): DerivedKeys;
  /**
   * Encrypts a secret. It can only be decrypted with the same owner id, that of an agent, a webhook or a workspace.
   */
  seal(ownerId: string, secret: Uint8Array): Uint8Array;
  /** Decrypts a secret. Throws SecretUnreadable if its key is not configured, or if the owner or the bytes differ. */
  open(ownerId: string, sealed: Uint8Array): Uint8Array;
  /** Returns whether the secret is encrypted with the current key. */
  isCurrent(sealed: Uint8Array): boolean;
}

/**
 * Thrown if a stored secret cannot be decrypted: its key is not configured, it belongs to another owner, or it is
 * damaged.
 */
export class SecretUnreadable extends Error {
  constructor(options?: ErrorOptions) {
    super(
      'a stored secret cannot be decrypted: add the key that encrypted it to secrets.previousKeys',
      options,
    );
    this.name = 'SecretUnreadable';
  }
}

/** RFC 5869. The roots have enough entropy, so no salt is needed. */
const hkdf = (root: Uint8Array, purpose: string, bytes: number): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', root, '', `cadre ${purpose}`, bytes));

const idOf = (root: Uint8Array): string => Buffer.from(hkdf(root, 'key id', KEY_ID)).toString('base64url');

export function createKeyring({ key, previousKeys, installation }: KeyringOptions): Keyring {
  const current = key === null ? installation : Buffer.from(key);
  const roots = [current, ...previousKeys.map((previous) => Buffer.from(previous))];
  const derive = (purpose: string, from: readonly Uint8Array[]): DerivedKeys => ({
    currentId: idOf(current),
    byId: new Map(from.map((root) => [idOf(root), hkdf(root, purpose, KEY)])),
  });
  // If `key` is set, secrets that were encrypted without it can still be decrypted. Tokens that were signed without
  // it are no longer valid, because a copy of the database reveals the installation's secret.
  const sealing = derive('secrets of agents', [...roots, installation]);

  return {
    derive: (purpose) => derive(purpose, roots),
    seal(ownerId, secret) {
      const nonce = randomBytes(NONCE);
      const cipher = createCipheriv(ALGORITHM, keyOf(sealing, sealing.currentId), nonce);
      cipher.setAAD(Buffer.from(ownerId));
      const text = Buffer.concat([cipher.update(secret), cipher.final()]);
      const id = Buffer.from(sealing.currentId, 'base64url');
      return Buffer.concat([id, nonce, cipher.getAuthTag(), text]);
    },
    open(ownerId, sealed) {
      const bytes = Buffer.from(sealed);
      const id = bytes.subarray(0, KEY_ID).toString('base64url');
      const nonce = bytes.subarray(KEY_ID, KEY_ID + NONCE);
      const tag = bytes.subarray(KEY_ID + NONCE, KEY_ID + NONCE + TAG);
      try {
        const decipher = createDecipheriv(ALGORITHM, keyOf(sealing, id), nonce, { authTagLength: TAG });
        decipher.setAAD(Buffer.from(ownerId)).setAuthTag(tag);
        return Buffer.concat([decipher.update(bytes.subarray(KEY_ID + NONCE + TAG)), decipher.final()]);
      } catch (cause) {
        throw cause instanceof SecretUnreadable ? cause : new SecretUnreadable({ cause });
      }
    },
    isCurrent: (sealed) =>
      Buffer.from(sealed).subarray(0, KEY_ID).toString('base64url') === sealing.currentId,
  };
}

function keyOf({ byId }: DerivedKeys, id: string): Uint8Array {
  const key = byId.get(id);
  if (!key) throw new SecretUnreadable();
  return key;
}
