import { useId, useRef } from 'preact/hooks';
import { useAction } from '../loading.js';
import { announce } from './announce.js';

export function CopyText({ label, text }: { label: string; text: string }) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { busy, run } = useAction();
  const copy = async () => {
    // Browsers offer a clipboard only on https pages and on localhost.
    const isCopied = await run(() => navigator.clipboard.writeText(text));
    if (isCopied) announce('Copied.');
    else field.current?.select();
  };
  return (
    <div class="field copy">
      <label for={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        class="code"
        readOnly
        rows={Math.max(2, text.split('\n').length)}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
      <div class="actions">
        <button type="button" disabled={busy} onClick={() => void copy()}>
          Copy
        </button>
      </div>
    </div>
  );
}
