import { useEffect } from 'preact/hooks';
import type { Failure } from '../../../api/failure.js';
import { agentPath, ask } from '../../../api/request.js';
import type { ConversationStarters, PersistentMenu } from '../../../api/types.js';
import { useAction, useLoaded } from '../../../loading.js';
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
  /** Replaces the items, and resolves to whether the platform has confirmed them. */
  publish: (items: object[]) => Promise<boolean>;
}

/** Interval at which a publication that another user has started is looked at. Milliseconds. */
const POLL_MS = 1000;

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
  useEffect(() => {
    if (profile?.sync.status !== 'running') return;
    const timer = setTimeout(reload, POLL_MS);
    return () => clearTimeout(timer);
  }, [profile]);
  const publish = async (items: object[]) => {
    const isDone = await run(async () => show(await ask<P>(path, { method: 'PATCH', body: { items } })));
    if (isDone) confirmDone('Published.');
    else reload();
    return isDone;
  };
  return { profile, loadFailure, reload, busy, failure, publish };
}
