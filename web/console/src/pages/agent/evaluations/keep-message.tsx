import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import { useAction } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { Dialog } from '../../../parts/confirm.js';
import { FormEnd } from '../../../parts/form-end.js';
import { useUnsaved } from '../../../unsaved.js';
import { expectationOf, nothingExpected } from './expected.js';
import { ExpectedFields } from './expected-fields.js';

interface KeepMessageProps {
  agentId: string;
  question: string;
  conversationId: string;
  messageId: string;
  onClose: () => void;
}

/** Adds a question of a conversation to the questions for evaluations. */
export function KeepMessage({ agentId, question, conversationId, messageId, onClose }: KeepMessageProps) {
  const [expected, setExpected] = useState(nothingExpected);
  const { busy, failure, run } = useAction();
  useUnsaved(expected !== nothingExpected && !busy);
  const submit = async (event: Event) => {
    event.preventDefault();
    const body = { conversationId, messageId, ...expectationOf(expected) };
    const isKept = await run(() =>
      ask(agentPath(agentId, 'evaluation-questions', 'from-message'), { method: 'POST', body }),
    );
    if (!isKept) return;
    confirmDone('Evaluations ask this question from now on.');
    onClose();
  };
  return (
    <Dialog title="Turn it into a test" onClose={onClose}>
      <form onSubmit={submit}>
        <p class="muted">
          Evaluations then ask this, with the messages before it, and judge the answer: “{question}”
        </p>
        <ExpectedFields
          expected={expected}
          onChange={setExpected}
          withoutSource="If you leave it empty, the sources that the stored answer cites are expected."
        />
        <FormEnd failure={failure} verb="Keep the question" isDisabled={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
