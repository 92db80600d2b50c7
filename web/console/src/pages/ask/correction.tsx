import { type Shown, textOf } from '../../../../client/answer-events.js';
import { Dialog } from '../../parts/confirm.js';
import { AnswerQuestion } from '../agent/questions/answer-question.js';

interface CorrectionProps {
  agentId: string;
  question: string;
  onClose: () => void;
}

/** The form for a better answer to a question. */
export const Correction = ({ agentId, question, onClose }: CorrectionProps) => (
  <Dialog title="What should the agent answer?" onClose={onClose}>
    <AnswerQuestion agentId={agentId} question={question} onClose={onClose} />
  </Dialog>
);

/** Returns what opens the correction of an answer; null if no question of the user precedes it. */
export function correctionOf(
  messages: readonly Shown[],
  index: number,
  open: (question: string) => void,
): (() => void) | null {
  const before = messages[index - 1];
  return before?.role === 'user' ? () => open(textOf(before)) : null;
}
