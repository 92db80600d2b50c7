import { useEffect, useState } from 'preact/hooks';
import type { AnswerText, AnswerTextProps } from './answer-text.js';

type Loaded = typeof AnswerText;

let loaded: Loaded | null = null;

/**
 * Renders Markdown. The parser is loaded with the first answer. Until then, or if it cannot be loaded, shows plain
 * text.
 */
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
