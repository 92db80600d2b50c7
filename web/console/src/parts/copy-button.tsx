import { useState } from 'preact/hooks';
import { announce } from './announce.js';
import { IconButton } from './icon.js';

interface CopyButtonProps {
  text: string;
  /** Describes the text to screen readers. */
  what: string;
  /** Shows an icon instead of a word. */
  isIcon?: boolean;
  /** Called if the browser has no clipboard. Browsers offer one only on https pages and on localhost. */
  onDenied?: () => void;
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, what, isIcon = false, onDenied }: CopyButtonProps) {
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
  if (isIcon)
    return (
      <IconButton icon={isCopied ? 'done' : 'copy'} label={`Copy ${what}`} onClick={() => void copy()} />
    );
  const word = isCopied ? 'Copied' : 'Copy';
  return (
    <button type="button" class="copy-button" aria-label={`${word} ${what}`} onClick={() => void copy()}>
      {word}
    </button>
  );
}
