import { useState } from 'preact/hooks';
import { useAction } from '../../../loading.js';
import { FormEnd } from '../../../parts/form-end.js';
import { useUnsaved } from '../../../unsaved.js';

interface PastedQuestionsProps {
  send: (text: string) => Promise<void>;
  onCancel: () => void;
}

/** A form for rows of a spreadsheet. */
export function PastedQuestions({ send, onCancel }: PastedQuestionsProps) {
  const [text, setText] = useState('');
  const { busy, failure, run } = useAction();
  useUnsaved(text !== '' && !busy);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => send(text));
      }}
    >
      <div class="field">
        <label for="pasted-questions">Questions</label>
        <p class="about" id="pasted-about">
          One in each line. Further columns are what the answer must contain, with | between alternatives, and
          the title of the source that it must cite.
        </p>
        <textarea
          id="pasted-questions"
          aria-describedby="pasted-about"
          class="code"
          rows={8}
          autofocus
          placeholder={'When are you open?\tnine to five | 9 to 5\tOpening hours'}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </div>
      <FormEnd
        failure={failure}
        verb="Keep the questions"
        isDisabled={busy || text.trim() === ''}
        onCancel={onCancel}
      />
    </form>
  );
}
