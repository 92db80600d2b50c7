import { useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { OpenQuestion } from '../../../api/types.js';
import { useAction, useList } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { Dialog } from '../../../parts/confirm.js';
import { When } from '../../../parts/figures.js';
import { Empty, Problem, Unsearched } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { outcomeLabels } from '../../../parts/outcome.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { Select } from '../../../parts/select.js';
import { Tick } from '../../../parts/tick.js';
import { path, replace, to } from '../../../router.js';
import { KeepMessage } from '../evaluations/keep-message.js';
import { AnswerQuestion } from './answer-question.js';

/** Answers that a new source may improve. */
const kinds = {
  unanswered: { label: outcomeLabels.unanswered, query: { outcome: 'unanswered' } },
  suggested: { label: outcomeLabels.suggested, query: { outcome: 'suggested' } },
  negative: { label: 'rated badly', query: { feedback: 'negative' } },
} as const;
type Kind = keyof typeof kinds;
const kindNames = Object.entries(kinds).map(([name, { label }]) => [name, label] as const);

/** Placeholder in an address without a question, so that a kind can follow. */
const ANY = '-';

const kindIn = (part: string | undefined): Kind =>
  part !== undefined && part in kinds ? (part as Kind) : 'unanswered';

/**
 * Questions without an answer in the sources, most frequent first, and a form to answer them. E-mails link to the form
 * for a question.
 */
export function Questions({ agentId, place: asked }: { agentId: string; place: string | null }) {
  const [kind, setKind] = useState<Kind>(() => kindIn(path.value[4]));
  const [isAll, setAll] = useState(false);
  const [answering, setAnswering] = useState(may('questions.answer') && asked !== ANY ? asked : null);
  const [keeping, setKeeping] = useState<OpenQuestion | null>(null);
  const list = useList<OpenQuestion>(
    agentPath(agentId, 'questions'),
    { ...kinds[kind].query, limit: '100' },
    !isAll,
  );
  const { items, total, more, reload } = list;
  const shown = items?.filter(({ resolved }) => isAll || !resolved);
  const close = () => {
    setAnswering(null);
    if (asked !== null) replace('agents', agentId, 'questions');
    reload();
  };
  return (
    <section>
      <div class="find">
        <Select
          aria-label="Outcome"
          value={kind}
          choices={kindNames}
          onChange={(name) => setKind(name as Kind)}
        />
        <Tick checked={isAll} onChange={setAll}>
          Resolved ones too
        </Tick>
        <span class="muted" role="status">
          {shown && several(isAll ? total : shown.length, 'question')}
        </span>
      </div>
      <p class="muted">
        What users asked in the last 90 days and the sources did not answer, or answered badly. Write the
        answer once, and the agent knows it.
      </p>
      <Permitted needs="questions.answer" what="answering them" />
      <Rows
        list={{ ...list, items: shown ?? null }}
        empty={
          !more && (
            <Empty title="Nothing to do here.">
              <p>
                Every question of this kind is answered.{' '}
                <a href={to('agents', agentId, 'conversations')}>Conversations</a> show all answers.
              </p>
            </Empty>
          )
        }
      >
        {(question) => (
          <Row
            key={question.messageId}
            agentId={agentId}
            question={question}
            onAnswer={() => setAnswering(question.question)}
            onKeep={() => setKeeping(question)}
            onResolved={reload}
          />
        )}
      </Rows>
      {!isAll && <Unsearched list={list} what="question" />}
      {keeping && <KeepMessage agentId={agentId} {...keeping} onClose={() => setKeeping(null)} />}
      {answering !== null && (
        <Dialog title="Answer this question" onClose={close}>
          <AnswerQuestion agentId={agentId} question={answering} onClose={close} />
        </Dialog>
      )}
    </section>
  );
}

interface RowProps {
  agentId: string;
  question: OpenQuestion;
  onAnswer: () => void;
  onKeep: () => void;
  onResolved: () => void;
}

function Row({ agentId, question: asked, onAnswer, onKeep, onResolved }: RowProps) {
  const { question, count, lastAskedAt, conversationId, resolved } = asked;
  const { busy, failure, run } = useAction();
  const resolve = () =>
    run(async () => {
      await ask(agentPath(agentId, 'questions', 'resolve'), { method: 'POST', body: { question } });
      confirmDone('Marked as resolved.');
      onResolved();
    });
  return (
    <li>
      <div>
        <strong>{question}</strong>
        <p class="muted small">
          asked {count === 1 ? 'once' : `${count} times`}, last <When seconds={lastAskedAt} /> ·{' '}
          <a href={to('agents', agentId, 'conversations', conversationId)}>see the answer</a>
        </p>
        <Problem failure={failure} />
      </div>
      <div class="row-actions">
        {may('edit') && (
          <button type="button" class="quiet" onClick={onKeep}>
            Turn it into a test
          </button>
        )}
        {resolved ? (
          <span class="state ready">Resolved</span>
        ) : (
          may('questions.answer') && (
            <>
              <button type="button" class="quiet" disabled={busy} onClick={() => void resolve()}>
                Mark as resolved
              </button>
              <button type="button" onClick={onAnswer}>
                Answer
              </button>
            </>
          )
        )}
      </div>
    </li>
  );
}
