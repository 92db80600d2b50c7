import { useEffect, useRef, useState } from 'preact/hooks';
import type { Strings } from '../strings.js';
import { Icon } from './icon.js';

/** Maximum length of a visitor's message in characters. */
const MAX_LENGTH = 4000;

interface ComposerProps {
  strings: Strings;
  placeholder: string | null;
  /** True while an answer is being written. */
  isBusy: boolean;
  limitedUntil: number | null;
  /** Text of a message that was refused by the rate limit. */
  returned: string;
  inputRef: { current: HTMLTextAreaElement | null };
  onSend(text: string): void;
  onTyping(): void;
  onStop(): void;
}

export function Composer(props: ComposerProps) {
  const { strings, placeholder, isBusy, limitedUntil, returned, inputRef, onSend, onTyping, onStop } = props;
  const [typed, setTyped] = useState('');
  const [hasFiles, setHasFiles] = useState(false);
  const seconds = useCountdown(limitedUntil);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (returned !== '') setTyped((now) => now || returned);
  }, [returned, limitedUntil]);
  useEffect(() => {
    const input = inputRef.current;
    if (!input) return;
    input.style.height = 'auto';
    // Do not measure an empty input, because the frame may still be small.
    if (typed !== '') input.style.height = `${input.scrollHeight}px`;
  }, [typed]);

  const excess = [...typed.trim()].length - MAX_LENGTH;
  const note =
    seconds > 0
      ? strings.text('wait', { seconds })
      : excess > 0
        ? strings.text('tooLong', { count: excess })
        : hasFiles
          ? strings.text('textOnly')
          : null;
  const canSend = !isBusy && seconds === 0 && excess <= 0 && typed.trim() !== '';
  const refuseFiles = (event: Event, data: DataTransfer | null): void => {
    if (!data?.types.includes('Files')) return;
    event.preventDefault();
    setHasFiles(true);
  };
  return (
    <form
      ref={form}
      class="composer"
      onSubmit={(event) => {
        event.preventDefault();
        if (!canSend) return;
        setTyped('');
        setHasFiles(false);
        onSend(typed.trim());
      }}
      onDragOver={(event) => event.dataTransfer?.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => refuseFiles(event, event.dataTransfer)}
    >
      {note && (
        <p class="note" id="composer-note" role={excess > 0 || hasFiles ? 'alert' : undefined}>
          {note}
        </p>
      )}
      <div class="field">
        <textarea
          ref={inputRef}
          rows={1}
          // While empty, use the direction of the placeholder's language.
          dir={typed === '' ? undefined : 'auto'}
          aria-label={strings.text('message')}
          aria-describedby={note ? 'composer-note' : undefined}
          placeholder={placeholder ?? strings.text('placeholder')}
          value={typed}
          readOnly={seconds > 0}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            if (event.currentTarget.value !== '') onTyping();
            setHasFiles(false);
          }}
          onPaste={(event) => refuseFiles(event, event.clipboardData)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
            event.preventDefault();
            form.current?.requestSubmit();
          }}
        />
        {isBusy ? (
          <button
            type="button"
            class="round"
            aria-label={strings.text('stop')}
            title={strings.text('stop')}
            onClick={onStop}
          >
            <Icon name="stop" />
          </button>
        ) : (
          <button
            type="submit"
            class="round"
            aria-label={strings.text('send')}
            title={strings.text('send')}
            disabled={!canSend}
          >
            <Icon name="send" />
          </button>
        )}
      </div>
    </form>
  );
}

/** Returns the seconds until a time (ms); 0 once it has passed. */
function useCountdown(until: number | null): number {
  const left = (): number => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left);
    if (until === null) return;
    const timer = setInterval(() => {
      setSeconds(left);
      if (left() === 0) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}
