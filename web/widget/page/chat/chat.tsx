import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { FrameSettings } from '../../../../core/http/widget/frame-settings.schema.js';
import { textOf } from '../../../client/answer-events.js';
import { spokenText } from '../../../client/spoken-text.js';
import type { FrameEvent } from '../../protocol.js';
import type { Session } from '../session.js';
import type { Strings } from '../strings.js';
import type { Visitor } from '../visitor.js';
import { Avatar } from './avatar.js';
import type { ChatService } from './chat-service.js';
import { Composer } from './composer.js';
import { Icon } from './icon.js';
import { lazy } from './lazy.js';
import { AgentMessage, noteOf, UserMessage } from './message.js';
import { isOpen as isWithPerson } from './person-state.js';
import { createTalk } from './talk.js';
import type { Entry } from './talk-state.js';

export interface ChatProps {
  settings: FrameSettings;
  strings: Strings;
  service: ChatService;
  visitor: Pick<Visitor, 'conversationId' | 'remember' | 'seen' | 'see'>;
  session: Session;
  isOpen: boolean;
  /** True if the panel fills the host's viewport and is modal. */
  isFull: boolean;
  /** Sent as soon as the panel opens. */
  firstMessage?: string;
  /** If true, opening the panel focuses the input. */
  takesFocus: boolean;
  onClose(): void;
  /** Called with the number of messages of a person that arrived while the panel was closed. */
  onUnread?(count: number): void;
  report(event: FrameEvent): void;
}

/** The panel with the conversation. It stays mounted while closed, so that a running answer is followed. */
export function Chat(props: ChatProps) {
  const { settings, strings, isOpen, isFull, takesFocus, onClose } = props;
  const [announced, setAnnounced] = useState('');
  const input = useRef<HTMLTextAreaElement>(null);
  const panel = useRef<HTMLElement>(null);
  const talk = useMemo(
    () =>
      createTalk({
        ...props,
        waitSeconds: settings.handover.waitSeconds,
        // Shown, but neither stored nor sent.
        initialMessages:
          settings.initialMessages.length > 0 ? settings.initialMessages : [strings.text('greeting')],
        onChange: (changed) => setState(changed),
        onEnd: (answer) => setAnnounced(spoken(answer, strings)),
      }),
    [],
  );
  const [state, setState] = useState(talk.initial);
  const focusInput = (): void => input.current?.focus();
  useEffect(() => {
    talk.load();
    if (props.firstMessage !== undefined) talk.send(props.firstMessage);
    return talk.end;
  }, []);
  useEffect(() => {
    talk.show(isOpen);
    if (isOpen && takesFocus) focusInput();
  }, [isOpen]);
  useEffect(() => props.onUnread?.(state.unread), [state.unread]);
  const [isListing, setListing] = useState(false);

  const { entries, isBusy, person } = state;
  const { enabled, offer, form } = settings.handover;
  const contactForm = enabled && offer !== 'never' ? form : null;
  const canCall =
    enabled && settings.handover.open && !isWithPerson(person) && props.service.requests !== null;
  const callPerson = (): void => {
    setListing(false);
    talk.callPerson(strings.text('talkToPerson'));
    focusInput();
  };
  const isEmpty = !entries.some(({ role }) => role === 'user');
  const hasPrompts = (isEmpty || settings.keepShowingPrompts) && state.loading !== 'yes';
  const prompts = hasPrompts ? settings.defaultPrompts : [];
  const limited = entries.at(-1)?.metadata.rateLimited ? entries.at(-2) : undefined;
  return (
    <section
      ref={panel}
      class="panel"
      {...(settings.isWhole ? { role: 'region' } : { role: 'dialog', 'aria-modal': isFull })}
      aria-label={settings.title}
      hidden={!isOpen}
      onKeyDown={(event) => isFull && !settings.isWhole && keepFocus(event, panel.current)}
    >
      <header>
        <Avatar url={settings.profilePictureUrl} />
        <h1>
          <bdi>{settings.title}</bdi>
        </h1>
        {canCall && offer === 'always' && (
          <button type="button" class="plain" disabled={isBusy} onClick={callPerson}>
            {strings.text('talkToPerson')}
          </button>
        )}
        {props.service.requests && (
          <button
            type="button"
            class="small"
            aria-label={strings.text('conversations')}
            title={strings.text('conversations')}
            aria-pressed={isListing}
            onClick={() => setListing(!isListing)}
          >
            <Icon name="list" />
          </button>
        )}
        {!isEmpty && (
          <button
            type="button"
            class="small"
            aria-label={strings.text('newConversation')}
            title={strings.text('newConversation')}
            onClick={() => {
              setListing(false);
              talk.startNew();
              setAnnounced('');
              focusInput();
            }}
          >
            <Icon name="fresh" />
          </button>
        )}
        {!settings.isWhole && (
          <button
            type="button"
            class="small"
            aria-label={strings.text('closeChat')}
            title={strings.text('closeChat')}
            onClick={onClose}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      {isListing && (
        <ConversationList
          service={props.service}
          strings={strings}
          current={props.visitor.conversationId()}
          onOpen={(conversationId) => {
            setListing(false);
            if (conversationId !== props.visitor.conversationId()) talk.open(conversationId);
            focusInput();
          }}
        />
      )}
      <History entries={entries} isOpen={isOpen} isHidden={isListing} label={strings.text('conversation')}>
        {state.cursor !== null && !isBusy && (
          <button
            type="button"
            class="plain"
            onClick={(event) => {
              event.currentTarget.parentElement?.focus();
              talk.loadEarlier();
            }}
          >
            {strings.text('earlier')}
          </button>
        )}
        {entries.map((entry, at) => {
          const Message = entry.role === 'user' ? UserMessage : AgentMessage;
          return (
            <Message
              key={at}
              entry={entry}
              talk={talk}
              strings={strings}
              title={settings.title}
              isFree={!isBusy && state.loading === 'no'}
              isLast={at === entries.length - 1}
              contactForm={contactForm}
              callPerson={canCall && !isBusy ? callPerson : null}
              offersPerson={offer !== 'never'}
              focusInput={focusInput}
            />
          );
        })}
        {state.loading === 'yes' && <p class="note">{strings.text('loading')}</p>}
        {state.loading === 'failed' && !isBusy && (
          <button type="button" class="plain" onClick={talk.load}>
            {strings.text('tryAgain')}
          </button>
        )}
        {isBusy && entries.at(-1)?.delivery === undefined && entries.at(-1)?.role === 'user' && (
          <p class="note">{strings.text('answering')}</p>
        )}
        {prompts.length > 0 && (
          <fieldset class="prompts" aria-label={strings.text('suggestions')}>
            {prompts.map((prompt) => (
              <button
                key={prompt}
                type="button"
                dir="auto"
                disabled={isBusy}
                onClick={() => {
                  talk.send(prompt);
                  focusInput();
                }}
              >
                {prompt}
              </button>
            ))}
          </fieldset>
        )}
      </History>
      {(isWithPerson(person) || person.note) && (
        <PersonBar person={person} settings={settings} strings={strings} talk={talk} />
      )}
      {state.isWaiting && (
        <p class="note waiting" role="status">
          {strings.text('reconnecting')}
        </p>
      )}
      {state.hasActionFailed && (
        <p class="note problem waiting" role="alert">
          {strings.text('actionFailed')}
        </p>
      )}
      <Composer
        strings={strings}
        placeholder={settings.messagePlaceholder}
        isBusy={isBusy || state.loading === 'yes'}
        limitedUntil={state.limitedUntil}
        returned={limited ? textOf(limited) : ''}
        inputRef={input}
        onSend={(text) => {
          setListing(false);
          talk.send(text);
        }}
        onTyping={talk.typing}
        onStop={() => {
          talk.stop();
          focusInput();
        }}
      />
      {settings.branding && <p class="branding">{strings.text('poweredBy', { name: 'Cadre' })}</p>}
      <p class="unseen" role="status">
        {announced}
      </p>
    </section>
  );
}

const ConversationList = lazy(async () => (await import('./conversation-list.js')).ConversationList);
const PersonBar = lazy(async () => (await import('./person-bar.js')).PersonBar);

/** Returns the text of an answer for screen readers, without markers and Markdown. */
const spoken = (answer: Entry, strings: Strings): string =>
  [spokenText(textOf(answer)), noteOf(answer, strings)].filter(Boolean).join(' ');

interface HistoryProps {
  entries: readonly Entry[];
  isOpen: boolean;
  /** True while the list of conversations is in its place. */
  isHidden: boolean;
  label: string;
  children: preact.ComponentChildren;
}

/** If the view is closer to the end than this, it follows new text. Pixels. */
const NEAR_END = 80;

/**
 * The messages. The view follows new messages unless the reader has scrolled up. Loading earlier messages does not move
 * it.
 */
function History({ entries, isOpen, isHidden, label, children }: HistoryProps) {
  const list = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  const last = entries.at(-1);
  const isOwn = last?.role === 'user';
  const shown = useRef({ entries, height: 0 });
  useLayoutEffect(() => {
    const element = list.current;
    if (!element) return;
    const { entries: before, height } = shown.current;
    shown.current = { entries, height: element.scrollHeight };
    const areEarlier = entries.length > before.length && last === before.at(-1);
    if (areEarlier) element.scrollTop += element.scrollHeight - height;
    else if (isOpen && (isAtEnd.current || isOwn)) element.scrollTop = element.scrollHeight;
  }, [entries, isOpen]);
  return (
    <div
      ref={list}
      class="history"
      hidden={isHidden}
      role="log"
      aria-live="off"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < NEAR_END;
      }}
    >
      {children}
    </div>
  );
}

/** Keeps the focus inside a modal panel. */
function keepFocus(event: KeyboardEvent, panel: HTMLElement | null): void {
  if (event.key !== 'Tab' || !panel) return;
  const stops = [
    ...panel.querySelectorAll<HTMLElement>('button:enabled, a[href], textarea, input, [tabindex="0"]'),
  ];
  const [first, last] = [stops[0], stops.at(-1)];
  if (document.activeElement !== (event.shiftKey ? first : last)) return;
  event.preventDefault();
  (event.shiftKey ? last : first)?.focus();
}
