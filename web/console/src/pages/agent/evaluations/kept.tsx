import { useRef, useState } from 'preact/hooks';
import { agentPath, ask } from '../../../api/request.js';
import type { KeptQuestion } from '../../../api/types.js';
import { useAction, useList } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { Dialog } from '../../../parts/confirm.js';
import { Total } from '../../../parts/filter.js';
import { Empty, Problem } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { NewQuestion } from './new-question.js';
import { PastedQuestions } from './pasted-questions.js';
import { questionsIn } from './question-import.js';

/** The questions for evaluations, newest first. */
export function Kept({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'evaluation-questions');
  const list = useList<KeptQuestion>(path, { limit: '100' });
  const { reload } = list;
  const [adding, setAdding] = useState<'one' | 'pasted' | null>(null);
  const file = useRef<HTMLInputElement>(null);
  const { busy, failure: notDone, run } = useAction();
  const keep = async (questions: unknown) => {
    const { data } = await ask<{ data: unknown[] }>(path, { method: 'POST', body: { questions } });
    confirmDone(`${several(data.length, 'question')} kept.`);
    reload();
  };
  const close = () => setAdding(null);
  const read = (chosen: File | undefined) =>
    chosen && run(async () => keep(questionsIn(await chosen.text())));
  const remove = ({ id }: KeptQuestion) =>
    run(async () => {
      await ask(`${path}/${id}`, { method: 'DELETE' });
      confirmDone('The question was removed.');
      reload();
    });
  return (
    <section>
      <div class="find">
        <Total list={list} what="question" />
      </div>
      <p class="muted">Evaluations ask these questions. Those of past evaluations stay with their results.</p>
      <Permitted needs="edit" what="changing them">
        <div class="actions add">
          <button type="button" onClick={() => setAdding('one')}>
            Add a question
          </button>
          <button type="button" onClick={() => setAdding('pasted')}>
            Paste questions
          </button>
          <button type="button" disabled={busy} onClick={() => file.current?.click()}>
            Add a file
          </button>
          <input
            ref={file}
            type="file"
            class="unseen"
            tabIndex={-1}
            aria-label="File of questions"
            accept=".csv,.tsv,.json,text/csv,application/json"
            onChange={({ currentTarget }) => {
              void read(currentTarget.files?.[0]);
              currentTarget.value = '';
            }}
          />
        </div>
      </Permitted>
      <Problem failure={notDone} />
      <Rows
        list={list}
        empty={
          <Empty title="No questions are kept yet.">
            <p>
              Add some whose answers you know, or paste rows of a spreadsheet. A file is a table (CSV) or a
              JSON list, as docs/evaluate.md describes.
            </p>
          </Empty>
        }
      >
        {(kept) => (
          <li key={kept.id}>
            <div>
              <strong>{kept.question.question}</strong>
              <p class="muted small">{summaryOf(kept)}</p>
            </div>
            {may('edit') && (
              <button
                type="button"
                class="quiet"
                disabled={busy}
                aria-label={`Remove ${kept.question.question}`}
                onClick={() => void remove(kept)}
              >
                Remove
              </button>
            )}
          </li>
        )}
      </Rows>
      {adding && (
        <Dialog title={adding === 'one' ? 'Add a question' : 'Paste questions'} onClose={close}>
          {adding === 'one' ? (
            <NewQuestion send={(question) => keep([question]).then(close)} onCancel={close} />
          ) : (
            <PastedQuestions send={(text) => keep(questionsIn(text)).then(close)} onCancel={close} />
          )}
        </Dialog>
      )}
    </section>
  );
}

/** Describes the type of a question and the expected answer. */
function summaryOf({ question: { type, answer, source, before, unanswerable } }: KeptQuestion): string {
  return [
    type,
    unanswerable && 'not answered by the sources',
    ...answer.map((group) => `has “${group.join('” or “')}”`),
    source.length > 0 && `cites ${source.join(', ')}`,
    before.length > 0 && `after ${several(before.length, 'message')}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
