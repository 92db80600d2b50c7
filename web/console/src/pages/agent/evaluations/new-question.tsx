import { useState } from 'preact/hooks';
import { useAction } from '../../../loading.js';
import { FormEnd } from '../../../parts/form-end.js';
import { useUnsaved } from '../../../unsaved.js';
import { expectationOf, nothingExpected } from './expected.js';
import { ExpectedFields } from './expected-fields.js';

interface NewQuestionProps {
  send: (question: object) => Promise<void>;
  onCancel: () => void;
}

/** The form for a question with a known answer. */
export function NewQuestion({ send, onCancel }: NewQuestionProps) {
  const [question, setQuestion] = useState('');
  const [expected, setExpected] = useState(nothingExpected);
  const { busy, failure, run } = useAction();
  useUnsaved(question !== '' && !busy);
  const submit = (event: Event) => {
    event.preventDefault();
    void run(() => send({ question: question.trim(), ...expectationOf(expected) }));
  };
  return (
    <form onSubmit={submit}>
      <div class="field">
        <label for="kept-question">Question</label>
        <textarea
          id="kept-question"
          rows={2}
          autofocus
          required
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
        />
      </div>
      <ExpectedFields
        expected={expected}
        onChange={setExpected}
        withoutSource="If you leave it empty, any source will do."
      />
      <FormEnd
        failure={failure}
        verb="Keep the question"
        isDisabled={busy || question.trim() === ''}
        onCancel={onCancel}
      />
    </form>
  );
}
