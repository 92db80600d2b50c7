import type { Migration } from './migration.js';

/** Identities of users at providers of OpenID Connect. `hash` is that of issuer and subject. A user has one identity of an issuer. */
export const identities: Migration = {
  name: '007-identities',
  up: ({ id, ascii, table }) => [
    `CREATE TABLE identities (hash ${ascii(64)} NOT NULL PRIMARY KEY, user_id ${id} NOT NULL,
      issuer_hash ${ascii(64)} NOT NULL, created_at BIGINT NOT NULL) ${table}`,
    'CREATE UNIQUE INDEX identities_user ON identities (user_id, issuer_hash)',
  ],
};
