import { createKeyring } from '../../core/secrets/keyring.js';

/** Of an installation without `secrets.key`. */
export const testKeyring = createKeyring({
  key: null,
  previousKeys: [],
  installation: new Uint8Array(32).fill(7),
});
