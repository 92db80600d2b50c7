/** Shown while `secrets.key` is not set and agents or webhooks have secrets. */
export const UNPROTECTED_SECRETS =
  'Secrets of agents and webhooks are encrypted with a key that derives from the same database: set secrets.key (CADRE_SECRETS_KEY) to protect them in a stolen copy of it';
