/** Scopes of API keys. The permission of each route determines what a scope allows. */
export const keyScopes = ['full', 'read', 'chat'] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scope that a permission requires. The scope `full` meets every requirement, and every scope meets `any`. */
export type RequiredScope = KeyScope | 'any';
