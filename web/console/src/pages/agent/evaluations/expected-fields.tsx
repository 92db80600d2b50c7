import { useId } from 'preact/hooks';
import type { Expected } from './expected.js';

interface ExpectedFieldsProps {
  expected: Expected;
  onChange: (expected: Expected) => void;
  /** Describes the effect of leaving out the source titles. */
  withoutSource: string;
}

/** Fields that describe a good answer. */
export function ExpectedFields({ expected, onChange, withoutSource }: ExpectedFieldsProps) {
  const id = useId();
  const { answer, source, unanswerable } = expected;
  return (
    <>
      <div class="field switch">
        <label for={`${id}-none`}>The sources do not answer it</label>
        <input
          id={`${id}-none`}
          type="checkbox"
          role="switch"
          aria-checked={unanswerable}
          checked={unanswerable}
          onChange={(event) => onChange({ ...expected, unanswerable: event.currentTarget.checked })}
        />
        <p class="about">Then an answer that cites a source is wrong.</p>
      </div>
      {!unanswerable && (
        <>
          <div class="field">
            <label for={`${id}-answer`}>The answer must contain</label>
            <p class="about" id={`${id}-answer-about`}>
              Each line must occur. Separate alternatives with a bar: 90 minutes | 1.5 hours
            </p>
            <textarea
              id={`${id}-answer`}
              aria-describedby={`${id}-answer-about`}
              rows={3}
              value={answer}
              onInput={(event) => onChange({ ...expected, answer: event.currentTarget.value })}
            />
          </div>
          <div class="field">
            <label for={`${id}-source`}>It must cite</label>
            <p class="about" id={`${id}-source-about`}>
              Titles of sources, one per line. {withoutSource}
            </p>
            <textarea
              id={`${id}-source`}
              aria-describedby={`${id}-source-about`}
              rows={2}
              value={source}
              onInput={(event) => onChange({ ...expected, source: event.currentTarget.value })}
            />
          </div>
        </>
      )}
    </>
  );
}
