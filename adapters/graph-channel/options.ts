import type { JsonObject } from '../../core/schemas/json.js';

export interface GraphOptions {
  /** Origin of the platform's API. */
  baseUrl: string;
  /** Version of the API, such as `v24.0`. */
  version: string;
  /** Secret with which the platform signs events and this adapter signs calls. */
  appSecret: string;
  /** Also accepted for events, during a rotation of the secret. */
  previousAppSecret?: string;
  /** Chosen by the operator. The platform sends it when it verifies the URL for events. */
  verifyToken: string;
  /**
   * Set it if tokens belong to a page: the field of the page that contains the account. Calls then name the page. If
   * it is missing, tokens belong to the account itself.
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
