import { useEffect, useState } from 'preact/hooks';
import type { ContactForm } from '../../../../core/agent-settings/handover-settings.js';
import { type Citation, textOf } from '../../../client/answer-events.js';
import type { Strings } from '../strings.js';
import { ContactOffer } from './contact-offer.js';
import { Formatted, Plain } from './formatted.js';
import { Icon } from './icon.js';
import { lazy } from './lazy.js';
import { Link } from './link.js';
import type { Talk } from './talk.js';
import type { Entry } from './talk-state.js';

interface MessageProps {
  entry: Entry;
  talk: Talk;
  strings: Strings;
  /** Name of the agent. */
  title: string;
  /** True if no other message is being sent or answered. */
  isFree: boolean;
  /** Focuses the input. Called by buttons that disappear when clicked. */
  focusInput(): void;
  isLast: boolean;
  /** Form for contact details that unanswered questions offer; null without one. */
  contactForm: ContactForm | null;
  /** Asks for a person; null if that is not possible now. */
  callPerson: (() => void) | null;
  /** Whether a negative rating offers a person, too. */
  offersPerson: boolean;
}

export function UserMessage({ entry, talk, strings, isFree, focusInput }: MessageProps) {
  const { delivery, id, createdAt } = entry;
  return (
    <div class={`message own ${delivery ?? ''}`}>
      <span class="unseen">{strings.text('you')}: </span>
      <p class="bubble-text" dir="auto">
        {textOf(entry)}
      </p>
      {id !== null && <Time at={createdAt} strings={strings} />}
      {delivery === 'sending' && <p class="note">{strings.text('sending')}</p>}
      {delivery === 'refused' && (
        <p class="note problem" role="alert">
          {strings.text('refused')}
        </p>
      )}
      {delivery === 'not-sent' && (
        <p class="note problem" role="alert">
          {strings.text('notSent')}{' '}
          <button
            type="button"
            class="plain"
            disabled={!isFree}
            onClick={() => {
              talk.sendAgain(entry);
              focusInput();
            }}
          >
            {strings.text('sendAgain')}
          </button>
        </p>
      )}
    </div>
  );
}

export function AgentMessage(props: MessageProps) {
  const { entry, talk, strings, title, isFree, isLast, focusInput, contactForm, callPerson } = props;
  const { status, metadata } = entry;
  const text = textOf(entry);
  const citations = metadata.citations ?? [];
  const note = noteOf(entry, strings);
  const { author } = metadata;
  const isVerbatim = author !== undefined || metadata.userMessageId === undefined;
  const isAnswer = (author !== undefined || metadata.userMessageId !== undefined) && status !== 'generating';
  const isUnhelpful = entry.feedback === 'negative' && props.offersPerson;
  return (
    <div class="message theirs">
      {author ? (
        <p class="note author">
          <span class="initial" aria-hidden="true">
            {[...author.name][0]}
          </span>{' '}
          <bdi>{author.name}</bdi>
        </p>
      ) : (
        <span class="unseen">{title}: </span>
      )}
      {text !== '' &&
        (isVerbatim ? (
          <Plain text={text} />
        ) : (
          <Formatted text={text} citations={citations} strings={strings} />
        ))}
      {status === 'generating' && (
        <p class="dots">
          <span class="unseen">{strings.text('answering')}</span>
          <i />
          <i />
          <i />
        </p>
      )}
      {note && <p class={status === 'failed' ? 'note problem' : 'note'}>{note}</p>}
      {status !== 'generating' && citations.length > 0 && <Sources citations={citations} strings={strings} />}
      {isAnswer && (
        <div class="actions">
          {text !== '' && <Copy text={text} strings={strings} />}
          {entry.id !== null && <Rating entry={entry} talk={talk} strings={strings} />}
          {isLast && !author && !metadata.rateLimited && (
            <button
              type="button"
              class="plain"
              disabled={!isFree}
              onClick={() => {
                talk.tryAgain(entry);
                focusInput();
              }}
            >
              {strings.text('tryAgain')}
            </button>
          )}
          {entry.id !== null && <Time at={entry.createdAt} strings={strings} />}
        </div>
      )}
      {isAnswer && entry.feedback === 'negative' && entry.id !== null && !entry.feedbackComment && (
        <CommentForm strings={strings} send={(comment) => talk.comment(entry, comment)} />
      )}
      {isLast && isAnswer && !author && (metadata.offer || isUnhelpful) && callPerson && (
        <p class="offer">
          <button type="button" class="plain" onClick={callPerson}>
            {strings.text('talkToPerson')}
          </button>
        </p>
      )}
      {isLast && isAnswer && metadata.offer && contactForm && (
        <ContactOffer form={contactForm} strings={strings} send={talk.leaveContact} />
      )}
    </div>
  );
}

const CommentForm = lazy(async () => (await import('./comment-form.js')).CommentForm);

/** When a message was sent: in words, and exactly on hover and on focus. */
function Time({ at, strings }: { at: number; strings: Strings }) {
  const time = new Date(at * 1000);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without a mouse, the focus shows the exact time
    <time class="note" tabIndex={0} dateTime={time.toISOString()} title={time.toLocaleString(strings.locale)}>
      {strings.ago(at)}
    </time>
  );
}

/** Describes how an answer ended; null for a normal end. */
export function noteOf(entry: Entry, strings: Strings): string | null {
  if (entry.status === 'stopped') return strings.text('stopped');
  if (entry.status !== 'failed') return null;
  return strings.text(textOf(entry) === '' ? 'failed' : 'cutOff');
}

function Sources({ citations, strings }: { citations: readonly Citation[]; strings: Strings }) {
  return (
    <ul class="sources" aria-label={strings.text('sources')}>
      {citations.map(({ sourceId, title, url }) => (
        <li key={sourceId}>
          {sourceId}.{' '}
          <Link url={url ?? ''} strings={strings}>
            <span dir="auto">{title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** How long a copy is confirmed, in ms. */
const COPIED_MS = 2000;

function Copy({ text, strings }: { text: string; strings: Strings }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const label = strings.text(isCopied ? 'copied' : 'copy');
  return (
    <button
      type="button"
      class="small"
      aria-label={label}
      title={label}
      onClick={() => void copy(text).then(setCopied)}
    >
      <Icon name={isCopied ? 'done' : 'copy'} />
    </button>
  );
}

/** Pages without TLS have no clipboard, and frames may be denied access. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'unseen';
    document.body.append(area);
    area.select();
    const isCopied = document.execCommand('copy');
    area.remove();
    return isCopied;
  }
}

function Rating({ entry, talk, strings }: { entry: Entry; talk: Talk; strings: Strings }) {
  const ratings = [
    { value: 'positive', label: strings.text('helpful'), icon: 'up' },
    { value: 'negative', label: strings.text('unhelpful'), icon: 'down' },
  ] as const;
  return (
    <>
      {ratings.map(({ value, label, icon }) => (
        <button
          key={value}
          type="button"
          class="small"
          aria-label={label}
          title={label}
          aria-pressed={entry.feedback === value}
          onClick={() => talk.rate(entry, value)}
        >
          <Icon name={icon} />
        </button>
      ))}
    </>
  );
}
