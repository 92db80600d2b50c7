import { useEffect, useRef, useState } from 'preact/hooks';
import { limits } from '../../../../../../core/schemas/limits.js';
import { textOf } from '../../../../../client/answer-events.js';
import { agentPath, ask } from '../../../api/request.js';
import type { Message } from '../../../api/types.js';
import { SchemaForm } from '../../../forms/schema-form.js';
import { useAction } from '../../../loading.js';
import { confirmDone } from '../../../parts/announce.js';
import { Problem } from '../../../parts/notice.js';
import { Outcome } from '../../../parts/outcome.js';
import { AnswerText } from '../../ask/answer-text.js';
import { sourceTexts } from '../../sources/source-texts.js';

interface AnswerQuestionProps {
  agentId: string;
  question: string;
  /** Proposed answer. */
  answer?: string;
  /** The conversation to ask in; omitted for a new one. */
  conversationId?: string | null;
  onAnswered?: (answer: Message) => void;
  onClose: () => void;
}

/** Adds a question with its answer as a source, asks the question again, and shows the new answer. */
export function AnswerQuestion({
  agentId,
  question,
  answer: proposed,
  conversationId,
  onAnswered,
  onClose,
}: AnswerQuestionProps) {
  const [answer, setAnswer] = useState<Message | null>(null);
  const resolving = useAction();
  const done = useRef<HTMLButtonElement>(null);
  useEffect(() => done.current?.focus(), [answer]);
  const save = async (body: object) => {
    // If asking fails, a second attempt must not add the source again.
    await ask(agentPath(agentId, 'sources', 'qna'), { method: 'POST', body, query: { unique: 'true' } });
    confirmDone('The agent has learned it.');
    const answered = await ask<Message>(agentPath(agentId, 'chat'), {
      method: 'POST',
      body: { message: question, stream: false, ...(conversationId ? { conversationId } : {}) },
    });
    setAnswer(answered);
    onAnswered?.(answered);
    if (answered.metadata.outcome === 'answered') await resolving.run(resolve);
  };
  // Marks the question as resolved, because an answer alone resolves it only until the sources change.
  const resolve = () =>
    ask(agentPath(agentId, 'questions', 'resolve'), { method: 'POST', body: { question } });
  if (answer)
    return (
      <>
        <p class="muted">Asked again, the agent answers:</p>
        <blockquote>
          <AnswerText text={textOf(answer)} />
        </blockquote>
        <p>{answer.metadata.outcome && <Outcome outcome={answer.metadata.outcome} />}</p>
        <Problem failure={resolving.failure} retry={() => void resolving.run(resolve)} />
        <div class="actions">
          <button ref={done} type="button" class="primary" onClick={onClose}>
            Done
          </button>
        </div>
      </>
    );
  return (
    <SchemaForm
      operation="addQnaSource"
      initial={{
        title: question.slice(0, limits.sourceTitle.max),
        questions: question.replace(/\s+/g, ' '),
        ...(proposed ? { answer: proposed } : {}),
      }}
      sections={[{ fields: ['answer', 'questions', 'title'] }]}
      texts={sourceTexts}
      verb="Save and ask again"
      send={save}
      onCancel={onClose}
    />
  );
}
