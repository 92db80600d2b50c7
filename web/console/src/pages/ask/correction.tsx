import { type Shown, textOf } from '../../../../client/answer-events.js';
import type { Message } from '../../api/types.js';
import { Dialog } from '../../parts/confirm.js';
import { AnswerQuestion } from '../agent/questions/answer-question.js';

interface CorrectionProps {
  agentId: string;
  question: string;
  /** Proposed answer. */
  answer?: string;
  /** The conversation to ask again in; omitted for a new one. */
  conversationId?: string | null;
  onAnswered?: (answer: Message) => void;
  onClose: () => void;
}

/** A form for a better answer to a question. */
export const Correction = (props: CorrectionProps) => (
  <Dialog title="What should the agent answer?" onClose={props.onClose}>
    <AnswerQuestion {...props} />
  </Dialog>
);

/** Returns the user's question before a message; undefined without one. */
export function questionBefore(messages: readonly Shown[], index: number): string | undefined {
  const asked = messages.slice(0, index).findLast(({ role }) => role === 'user');
  return asked && textOf(asked);
}
