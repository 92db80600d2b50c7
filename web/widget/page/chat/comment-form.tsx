import { useState } from 'preact/hooks';
import type { Strings } from '../strings.js';

/** In characters, as in the API for visitors. */
const LONGEST = 500;

interface CommentFormProps {
  strings: Strings;
  /** Resolves to false if the comment was not stored. */
  send(comment: string): Promise<boolean>;
}

/** Asks for the reason of a negative rating. */
export function CommentForm({ strings, send }: CommentFormProps) {
  const [state, setState] = useState<'open' | 'sending' | 'sent'>('open');
  if (state === 'sent')
    return (
      <p class="note" role="status">
        {strings.text('thankYou')}
      </p>
    );
  return (
    <form
      class="contact"
      onSubmit={(event) => {
        event.preventDefault();
        const comment = String(new FormData(event.currentTarget).get('comment') ?? '').trim();
        if (comment === '') return;
        setState('sending');
        void send(comment).then((isSent) => setState(isSent ? 'sent' : 'open'));
      }}
    >
      <label>
        {strings.text('whatWasWrong')}
        <textarea name="comment" rows={2} maxLength={LONGEST} dir="auto" />
      </label>
      <button type="submit" class="plain" disabled={state === 'sending'}>
        {strings.text('send')}
      </button>
    </form>
  );
}
