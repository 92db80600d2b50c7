import { Type } from '@sinclair/typebox';
import { orNull, section } from './setting-shapes.js';

const key = { minLength: 32, maxLength: 512, pattern: '^[!-+\\--~]+$' } as const;
const form = '32 to 512 printable ASCII characters without spaces and commas';

/** Keys for secrets in the database and for the tokens of visitors. */
export const secretsSettings = section({
  key: orNull(
    Type.String({
      ...key,
      writeOnly: true,
      expects: form,
      description:
        'Key that encrypts the secrets of agents and webhooks in the database and signs the tokens of visitors. Use the same key in every process. null: the key is derived from a secret in the same database, which does not protect them if the database is stolen.',
    }),
  ),
  previousKeys: Type.Array(Type.String(key), {
    writeOnly: true,
    uniqueItems: true,
    maxItems: 10,
    expects: `a list of keys of ${form}`,
    description:
      'Earlier values of `secrets.key`, newest first. Cadre still decrypts and verifies with them, but uses only `secrets.key` for new secrets and tokens.',
  }),
});
