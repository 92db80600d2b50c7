import { Markdown } from '../../../../client/markdown.js';
import type { Citation } from '../../api/types.js';

interface AnswerTextProps {
  text: string;
  citations?: readonly Citation[];
  onCite?: (citation: Citation, marker: HTMLElement) => void;
}

/** An answer. `[n]` becomes a button that opens the cited source; without citations, it is left out. */
export const AnswerText = ({ text, citations, onCite }: AnswerTextProps) => (
  <div class="answer-text">
    <Markdown
      text={text}
      parts={{
        link: (url, children) => (
          <a href={url} target="_blank" rel="noreferrer noopener nofollow">
            {children}
          </a>
        ),
        citation: (number) => {
          const citation = citations?.find(({ sourceId }) => sourceId === number);
          if (!citation) return citations ? null : '';
          return (
            <button
              type="button"
              class="cite"
              aria-label={`Source ${number}: ${citation.title}`}
              onClick={(event) => onCite?.(citation, event.currentTarget)}
            >
              {number}
            </button>
          );
        },
      }}
    />
  </div>
);
