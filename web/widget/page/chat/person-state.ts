/** What the panel knows about the person of a conversation. */
export interface PersonState {
  /** As in the API. */
  state: 'agent' | 'requested' | 'human' | 'closed';
  /** Name of the person. */
  person: string | null;
  /** Usual wait for a person; null if it is unknown. */
  expectedSeconds: number | null;
  /** True once the wait was longer than `waitSeconds`: the form is shown. */
  hasWaited: boolean;
  isTyping: boolean;
  /** What to say about the last change; null for nothing. */
  note: 'nobodyAvailable' | 'agentAgain' | 'conversationClosed' | null;
}

export const noPerson: PersonState = {
  state: 'agent',
  person: null,
  expectedSeconds: null,
  hasWaited: false,
  isTyping: false,
  note: null,
};

/** Whether a person answers, or may come. */
export const isOpen = ({ state }: Pick<PersonState, 'state'>): boolean =>
  state === 'requested' || state === 'human';
