/** Scopes of API keys. `keyScope` of each route determines what a scope allows. */
export const keyScopes = ['full', 'read', 'chat'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scope that an operation requires. The scope `full` meets every requirement, and every scope meets `any`. */
export type RequiredScope = KeyScope | 'any';

/** Returns the scopes that meet a requirement. */
export const scopesFor = (required: RequiredScope): readonly KeyScope[] =>
  keyScopes.filter((scope) => required === 'any' || scope === 'full' || scope === required);
