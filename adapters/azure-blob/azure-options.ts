import type { JsonObject } from '../../core/schemas/json.js';

export interface AzureBlobOptions {
  /** Contains an account key. Exclusive with `accountUrl`. */
  connectionString?: string;
  /** Blob endpoint, for access with this machine's identity. */
  accountUrl?: string;
  container: string;
}

export const azureBlobOptions: JsonObject = {
  type: 'object',
  additionalProperties: false,
  properties: {
    connectionString: {
      type: 'string',
      minLength: 1,
      writeOnly: true,
      description: 'Connection string of the storage account, with its account key.',
    },
    accountUrl: {
      type: 'string',
      pattern: '^https://[^/?#]+/?$',
      description:
        'Blob endpoint of the storage account, to sign in with the identity of this machine instead of a key.',
    },
    container: {
      type: 'string',
      pattern: '^[a-z0-9](?:-?[a-z0-9]){2,62}$',
      default: 'cadre',
      description: 'Container for uploads and results. Created at the start if it does not exist.',
    },
  },
  oneOf: [
    { required: ['connectionString'], properties: { connectionString: true } },
    { required: ['accountUrl'], properties: { accountUrl: true } },
  ],
};
