import { type KeyScope, keyScopes, type RequiredScope } from './key-scopes.js';

/** Roles of members of a workspace. Each includes the ones before it. */
export const roles = ['viewer', 'support', 'editor', 'admin', 'owner'] as const;
export type Role = (typeof roles)[number];

interface Permission {
  /** The lowest role that has it. */
  role: Role;
  /** The scope that an API key needs; null for what only a signed-in person may do. */
  keyScope: RequiredScope | null;
  /** It concerns the whole workspace, so it is closed to keys and members that are limited to agents. */
  allAgents?: true;
}

/** What each role and each scope may do. Every route names one of these. */
export const permissions = {
  'agents.view': { role: 'viewer', keyScope: 'any' },
  'agents.create': { role: 'editor', keyScope: 'full', allAgents: true },
  view: { role: 'viewer', keyScope: 'read' },
  edit: { role: 'editor', keyScope: 'full' },
  search: { role: 'viewer', keyScope: 'any' },
  chat: { role: 'viewer', keyScope: 'chat' },
  'conversations.view': { role: 'viewer', keyScope: 'any' },
  'conversations.answer': { role: 'support', keyScope: 'full' },
  'conversations.delete': { role: 'support', keyScope: 'full' },
  'contacts.view': { role: 'support', keyScope: 'full' },
  'contacts.delete': { role: 'support', keyScope: 'full' },
  'questions.answer': { role: 'support', keyScope: 'full' },
  'models.test': { role: 'editor', keyScope: 'full', allAgents: true },
  'channels.connect': { role: 'admin', keyScope: 'full' },
  'chatTokens.create': { role: 'admin', keyScope: 'full' },
  'identitySecret.view': { role: 'admin', keyScope: 'read' },
  'identitySecret.change': { role: 'admin', keyScope: 'full' },
  'keys.manage': { role: 'admin', keyScope: 'full', allAgents: true },
  'webhooks.manage': { role: 'admin', keyScope: 'full', allAgents: true },
  'visitors.erase': { role: 'admin', keyScope: 'full' },
  'members.view': { role: 'viewer', keyScope: 'full', allAgents: true },
  'members.manage': { role: 'admin', keyScope: 'full', allAgents: true },
  'audit.view': { role: 'admin', keyScope: 'full', allAgents: true },
  'mail.test': { role: 'admin', keyScope: null, allAgents: true },
  'workspace.change': { role: 'admin', keyScope: null, allAgents: true },
  'me.view': { role: 'viewer', keyScope: 'any' },
  'me.change': { role: 'viewer', keyScope: null },
} as const satisfies Record<string, Permission>;

export type PermissionName = keyof typeof permissions;

export const permissionNames = Object.keys(permissions) as PermissionName[];

const table: Record<PermissionName, Permission> = permissions;

/** Returns what a permission asks for. */
export const permissionOf = (name: PermissionName): Permission => table[name];

/** Returns the roles that have a permission. */
export const rolesWith = (name: PermissionName): readonly Role[] =>
  roles.slice(roles.indexOf(table[name].role));

/** Returns the scopes of API keys that have a permission. */
export const scopesWith = (name: PermissionName): readonly KeyScope[] => {
  const { keyScope } = table[name];
  return keyScopes.filter(
    (scope) => keyScope !== null && (keyScope === 'any' || scope === 'full' || scope === keyScope),
  );
};

/** Whether the first role includes the second. */
export const includesRole = (role: Role, other: Role): boolean => roles.indexOf(role) >= roles.indexOf(other);
