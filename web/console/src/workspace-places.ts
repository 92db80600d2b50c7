import type { PermissionName } from '../../../core/schemas/permissions.js';
import type { IconName } from './parts/icon-paths.js';

/** A page outside of agents. */
interface Place {
  /** First part of the address. */
  place: IconName;
  name: string;
  needs?: PermissionName;
}

/** Pages about all agents. */
export const firstPlaces: readonly Place[] = [
  { place: 'agents', name: 'Agents' },
  { place: 'inbox', name: 'Inbox', needs: 'conversations.answer' },
];

/** Pages about the workspace. */
export const workspacePlaces: readonly Place[] = [
  { place: 'members', name: 'Members', needs: 'members.view' },
  { place: 'keys', name: 'Keys', needs: 'keys.manage' },
  { place: 'webhooks', name: 'Webhooks', needs: 'webhooks.manage' },
  { place: 'models', name: 'Models' },
  { place: 'audit', name: 'Audit', needs: 'audit.view' },
  { place: 'workspace', name: 'Usage' },
];
