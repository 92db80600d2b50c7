import type { Conversation } from '../../../api/types.js';

/** Names of the channels through which users write. */
export const channelNames: Record<Conversation['source'], string> = {
  api: 'API and console',
  widget: 'Widget',
  social: 'Social',
};

export const titleOf = ({ title }: Pick<Conversation, 'title'>): string => title ?? 'Nothing asked yet';
