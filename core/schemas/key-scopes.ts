/** Scopes of API keys. What each of them may do follows from `keyScope` of the routes. */
export const keyScopes = ['full', 'read', 'chat'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scope that an operation requires. A key with the scope `full` may do everything; `any` needs no certain scope. */
export type RequiredScope = KeyScope | 'any';

/** Returns the scopes that meet a requirement. */
export const scopesFor = (required: RequiredScope): readonly KeyScope[] =>
  keyScopes.filter((scope) => required === 'any' || scope === 'full' || scope === required);
