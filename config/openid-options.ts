import { readSecretFile } from './read-secret-file.js';
import type { Settings } from './settings.schema.js';

/** Returns the options of the provider of OpenID Connect; null without one. Reads the file with the secret. */
export function openidOptions({ signIn: { oidc } }: Pick<Settings, 'signIn'>) {
  const { issuer, clientId, clientSecretFile, scopes, trustEmail } = oidc;
  if (issuer === null || clientId === null) return null;
  const clientSecret = clientSecretFile === null ? '' : readSecretFile(clientSecretFile);
  return { issuer, clientId, clientSecret, scopes, trustEmail };
}
