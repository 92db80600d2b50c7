import type { JsonObject } from '../../core/schemas/json.js';

export interface GraphOptions {
  /** Origin of the platform's API. */
  baseUrl: string;
  /** Version of the API, such as `v24.0`. */
  version: string;
  /** Signs events and proves calls. */
  appSecret: string;
  /** Also accepted for events, while a new secret is being introduced. */
  previousAppSecret?: string;
  /** Chosen by the operator, and sent by the platform when it verifies the address for events. */
  verifyToken: string;
  /**
   * For tokens of a page: the field of the page with the account. Calls then name the page. Without it, tokens belong
   * to the account itself.
   */
  accountField?: string;
}

const secret = { type: 'string', pattern: '^[!-~]{8,512}$', writeOnly: true };

export const graphSchema: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['baseUrl', 'version', 'appSecret', 'verifyToken'],
  properties: {
    baseUrl: { type: 'string', pattern: '^https?://[^\\s@?#]+$' },
    version: { type: 'string', pattern: '^v[0-9]{1,3}\\.[0-9]{1,3}$' },
    appSecret: secret,
    previousAppSecret: secret,
    verifyToken: secret,
    accountField: { type: 'string', pattern: '^[a-z_]{1,64}$' },
  },
};
