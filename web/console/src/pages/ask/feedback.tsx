import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../api/request.js';
import type { Message } from '../../api/types.js';
import { useAction } from '../../loading.js';
import { announce } from '../../parts/announce.js';
import { Icon, IconButton } from '../../parts/icon.js';
import { Problem } from '../../parts/notice.js';

interface FeedbackProps {
  agentId: string;
  message: Message;
  onGiven: (message: Message) => void;
}

const verdicts = [
  { value: 'positive', label: 'Good answer', icon: 'up' },
  { value: 'negative', label: 'Bad answer', icon: 'down' },
] as const;

/** Buttons to rate an answer, with a comment. Clicking the same button again removes the rating. */
export function Feedback({ agentId, message, onGiven }: FeedbackProps) {
  const { busy, failure, run } = useAction();
  const [comment, setComment] = useState(message.feedbackComment ?? '');
  const { conversationId } = message.metadata;
  const give = (body: object) =>
    run(async () => {
      const path = agentPath(
        agentId,
        'conversations',
        conversationId ?? '',
        'messages',
        message.id ?? '',
        'feedback',
      );
      const given = await ask<Message>(path, { method: 'PATCH', body });
      announce(given.feedback ? 'Thank you for the feedback.' : 'The feedback was removed.');
      onGiven(given);
    });
  return (
    <div class="feedback">
      {verdicts.map(({ value, label, icon }) => (
        <IconButton
          key={value}
          icon={icon}
          label={label}
          disabled={busy}
          pressed={message.feedback === value}
          onClick={() => void give({ feedback: message.feedback === value ? null : value })}
        />
      ))}
      {message.feedback && (
        <form
          class="comment"
          onSubmit={(event) => {
            event.preventDefault();
            void give({ feedback: message.feedback, comment: comment.trim() });
          }}
        >
          <input
            aria-label="Comment on this answer"
            placeholder="Why? (optional)"
            value={comment}
            onInput={(event) => setComment(event.currentTarget.value)}
          />
          <button type="submit" disabled={busy || comment.trim() === (message.feedbackComment ?? '')}>
            Save
          </button>
        </form>
      )}
      <Problem failure={failure} />
    </div>
  );
}

/** The rating by a visitor, which only the visitor can change. */
export const Rating = ({ feedback, feedbackComment }: Pick<Message, 'feedback' | 'feedbackComment'>) => {
  const verdict = verdicts.find(({ value }) => value === feedback);
  return verdict ? (
    <span class={`state ${feedback}`}>
      <Icon name={verdict.icon} /> {verdict.label}
      {feedbackComment && `: “${feedbackComment}”`}
    </span>
  ) : null;
};
