import type { Failure } from '../../../api/failure.js';
import { agentPath, ask } from '../../../api/request.js';
import type { ConversationStarters, PersistentMenu } from '../../../api/types.js';
import { useAction, useLoaded, usePolling } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';

/** What an account shows to people who open a conversation. */
export type Profile = PersistentMenu | ConversationStarters;

export interface ProfileState<P extends Profile> {
  profile: P | null;
  loadFailure: Failure | null;
  reload: () => void;
  busy: boolean;
  /** Failure of the last publication. */
  failure: Failure | null;
  /** Publishes other items. Resolves to true if the platform has confirmed them. */
  publish: (items: object[]) => Promise<boolean>;
}

/** Polling intervals for a publication that another user started, and for an interrupted one, in milliseconds. */
const POLL_MS = 1000;
const CHECK_MS = 10_000;
/** Maximum duration of a publication, in seconds. The API does not begin another one sooner. */
const LEASE_S = 30;

/** Returns whether a running publication must have been interrupted, because its process has died. */
export const isInterrupted = ({ status, startedAt }: Profile['sync']): boolean =>
  status === 'running' && startedAt !== null && Date.now() / 1000 > startedAt + LEASE_S + 1;

/** Loads and publishes a profile. */
export function useProfile<P extends Profile>(
  agentId: string,
  resource: 'persistent-menu' | 'conversation-starters',
): ProfileState<P> {
  const path = agentPath(agentId, 'channels', 'social', resource);
  const {
    data: profile,
    failure: loadFailure,
    reload,
    show,
  } = useLoaded((signal) => ask<P>(path, { signal }), [path]);
  const { busy, failure, run } = useAction();
  const pauseMs = profile && isInterrupted(profile.sync) ? CHECK_MS : POLL_MS;
  usePolling({ failure: loadFailure, reload }, profile, profile?.sync.status === 'running' ? pauseMs : null);
  const publish = async (items: object[]) => {
    const isDone = await run(async () => show(await ask<P>(path, { method: 'PATCH', body: { items } })));
    if (isDone) confirmDone('Published.');
    else reload();
    return isDone;
  };
  return { profile, loadFailure, reload, busy, failure, publish };
}
