/** Warning while `secrets.key` is not set and agents or webhooks have secrets. */
export const UNPROTECTED_SECRETS =
  'Secrets of agents and webhooks are encrypted with a key that is derived from the same database: set secrets.key (CADRE_SECRETS_KEY) to protect them if the database is stolen';
