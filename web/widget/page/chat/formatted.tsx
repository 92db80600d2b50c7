import { useEffect, useState } from 'preact/hooks';
import type { AnswerText, AnswerTextProps } from './answer-text.js';

type Loaded = typeof AnswerText;

let loaded: Loaded | null = null;

/** Markdown, whose parser is loaded with the first answer. Until then, and if it cannot be loaded, plain text. */
export function Formatted(props: AnswerTextProps) {
  const [Answer, setAnswer] = useState<Loaded | null>(() => loaded);
  useEffect(() => {
    if (Answer) return;
    let isCurrent = true;
    import('./answer-text.js').then(
      (module) => {
        loaded = module.AnswerText;
        if (isCurrent) setAnswer(() => module.AnswerText);
      },
      () => {},
    );
    return () => {
      isCurrent = false;
    };
  }, []);
  return Answer ? <Answer {...props} /> : <Plain text={props.text} />;
}

export const Plain = ({ text }: { text: string }) => (
  <div class="text plain-text" dir="auto">
    {text}
  </div>
);
