import { useId, useRef } from 'preact/hooks';
import { CopyButton } from './copy-button.js';

export function CopyText({ label, text }: { label: string; text: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  return (
    <div class="field copy">
      <label for={id}>{label}</label>
      <div class="with-button">
        <textarea
          ref={field}
          id={id}
          class="code"
          readOnly
          rows={Math.max(2, text.split('\n').length)}
          value={text}
          onFocus={(event) => event.currentTarget.select()}
        />
        <CopyButton text={text} what={label} onDenied={() => field.current?.select()} />
      </div>
    </div>
  );
}
