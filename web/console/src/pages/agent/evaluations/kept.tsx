import { useRef, useState } from 'preact/hooks';
import { SelfExplained } from '../../../api/failure.js';
import { agentPath, ask } from '../../../api/request.js';
import type { KeptQuestion } from '../../../api/types.js';
import { useAction, useList } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { Dialog } from '../../../parts/confirm.js';
import { Empty, Problem } from '../../../parts/notice.js';
import { several } from '../../../parts/numbers.js';
import { may, Permitted } from '../../../parts/permitted.js';
import { Rows } from '../../../parts/rows.js';
import { NewQuestion } from './new-question.js';

/** The questions for evaluations, newest first. */
export function Kept({ agentId }: { agentId: string }) {
  const path = agentPath(agentId, 'evaluation-questions');
  const list = useList<KeptQuestion>(path, { limit: '100' });
  const { items, total, reload } = list;
  const [adding, setAdding] = useState(false);
  const file = useRef<HTMLInputElement>(null);
  const { busy, failure: notDone, run } = useAction();
  const keep = async (questions: unknown) => {
    const { data } = await ask<{ data: unknown[] }>(path, { method: 'POST', body: { questions } });
    confirmDone(`${several(data.length, 'question')} kept.`);
    reload();
  };
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
        <h2>Kept questions</h2>
        <span class="muted" role="status">
          {items && several(total, 'question')}
        </span>
      </div>
      <p class="muted">Evaluations ask these questions. Those of past evaluations stay with their results.</p>
      <Permitted needs="edit" what="changing them">
        <div class="actions add">
          <button type="button" onClick={() => setAdding(true)}>
            Add a question
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
            accept=".json,application/json"
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
              Add some whose answers you know. A file holds a JSON list of them, as docs/evaluate.md
              describes.
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
        <Dialog title="Add a question" onClose={() => setAdding(false)}>
          <NewQuestion
            send={async (question) => {
              await keep([question]);
              setAdding(false);
            }}
            onCancel={() => setAdding(false)}
          />
        </Dialog>
      )}
    </section>
  );
}

function questionsIn(text: string): unknown {
  try {
    const content = JSON.parse(text) as { questions?: unknown } | null;
    return Array.isArray(content) ? content : content?.questions;
  } catch {
    throw new SelfExplained('This file is not JSON. Choose a file with a list of questions.');
  }
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
