import { useState } from 'preact/hooks';
import { announce } from './announce.js';

interface CopyButtonProps {
  text: string;
  /** Describes the text to screen readers. */
  what: string;
  /** Called if the browser has no clipboard. Browsers offer one only on https pages and on localhost. */
  onDenied?: () => void;
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, what, onDenied }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), 2000);
      announce('Copied.');
    } catch {
      onDenied?.();
    }
  };
  return (
    <button type="button" class="copy-button" aria-label={`Copy ${what}`} onClick={() => void copy()}>
      {isCopied ? 'Copied' : 'Copy'}
    </button>
  );
}
