import { type Shown, textOf } from '../../../../client/answer-events.js';
import type { Citation } from '../../api/types.js';
import { CopyButton } from '../../parts/copy-button.js';
import { When } from '../../parts/figures.js';
import { IconButton } from '../../parts/icon.js';
import { Outcome } from '../../parts/outcome.js';
import { to } from '../../router.js';
import { AnswerText } from './answer-text.js';
import { Feedback, Rating } from './feedback.js';
import { Searched } from './searched.js';

/** Describes how a message ended; null for a normal end. */
function noteOf({ status, errorText, metadata }: Shown): string | null {
  if (errorText !== undefined) return errorText;
  if (metadata.error) return metadata.error.message;
  if (status === 'failed') return 'The answer was cut off. Ask again.';
  return status === 'stopped' ? 'Stopped.' : null;
}

interface MessageViewProps {
  agentId: string;
  message: Shown;
  /** Name of the user for screen readers. */
  asker?: string;
  /** Null during an answer, and for answers without a question. */
  onRetry: (() => void) | null;
  /** The question that the message answers, if it is known. */
  question: string | undefined;
  /** Opens the form for a better answer; null if the caller may not correct answers. */
  onCorrect: ((question: string) => void) | null;
  /** Opens the form that adds the question to the evaluations. */
  onKeep?: ((question: string) => void) | null;
  onCite: (citation: Citation, marker: HTMLElement) => void;
  /** True if an automation may have written the message. */
  isByOthers?: boolean;
  /** Null if feedback cannot be given. */
  onGiven: ((message: Shown) => void) | null;
}

export function MessageView({ agentId, message, asker = 'You', isByOthers, ...actions }: MessageViewProps) {
  const { question, onRetry, onCorrect, onKeep, onCite, onGiven } = actions;
  const { role, id, status, metadata, createdAt } = message;
  const { author } = metadata;
  const note = noteOf(message);
  const citations = metadata.citations ?? [];
  /** Channels may hide citations. */
  const used = citations.length === 0 && metadata.outcome === 'answered' ? (metadata.sources ?? []) : [];
  if (role === 'user')
    return (
      <li class="said by-user">
        <span class="unseen">{asker}: </span>
        {textOf(message)}
        <p class="muted small">
          <When seconds={createdAt} />
        </p>
      </li>
    );
  return (
    <li class="said by-agent">
      {author ? (
        <p class="muted small">{author.name}</p>
      ) : isByOthers ? (
        <p class="muted small">Your team or an automation</p>
      ) : (
        <span class="unseen">Agent: </span>
      )}
      <AnswerText text={textOf(message)} citations={citations} onCite={onCite} />
      {status === 'generating' && <p class="muted">Answering…</p>}
      {note && <p class="task-problem">{note}</p>}
      {citations.length > 0 && (
        <ul class="sources-cited" aria-label="Sources of this answer">
          {citations.map((citation) => (
            <li key={citation.sourceId}>
              <button type="button" class="quiet" onClick={(event) => onCite(citation, event.currentTarget)}>
                <span class="cite-number">{citation.sourceId}</span> {citation.title}
              </button>
            </li>
          ))}
        </ul>
      )}
      {used.length > 0 && (
        <p class="muted small">
          Sources read:{' '}
          {used.map(({ documentId, title }, at) => (
            <span key={documentId}>
              {at > 0 && ', '}
              <a href={to('agents', agentId, 'sources', documentId)}>{title}</a>
            </span>
          ))}
        </p>
      )}
      {id !== null && status !== 'generating' && (metadata.userMessageId || author) && (
        <div class="after">
          {onGiven ? (
            <Feedback agentId={agentId} message={message} onGiven={onGiven} />
          ) : (
            <Rating {...message} />
          )}
          <CopyButton text={textOf(message)} what="answer" isIcon />
          {onRetry && <IconButton icon="again" label="Answer again" onClick={onRetry} />}
          {onCorrect && question !== undefined && (
            <IconButton
              icon="edit"
              label={author ? 'Turn into a source' : 'Correct it'}
              onClick={() => onCorrect(question)}
            />
          )}
          {onKeep && question !== undefined && (
            <IconButton icon="test" label="Turn it into a test" onClick={() => onKeep(question)} />
          )}
          {metadata.outcome && <Outcome outcome={metadata.outcome} />}
          <span class="muted small">
            {modelName(metadata)}
            <When seconds={createdAt} />
          </span>
        </div>
      )}
      {metadata.outcome && status !== 'generating' && question !== undefined && (
        <Searched agentId={agentId} question={question} onOpen={onCite} />
      )}
    </li>
  );
}

/** Answers without a language model are quotations, or nothing was found. */
function modelName({ model, outcome }: Shown['metadata']): string {
  if (model === undefined) return '';
  if (model !== 'extractive') return `${model} · `;
  return outcome === 'answered' ? 'Quoted from the sources · ' : '';
}
