import type { Citation } from '../../../client/answer-events.js';
import { Markdown } from '../../../client/markdown.js';
import type { Strings } from '../strings.js';
import { Link } from './link.js';

export interface AnswerTextProps {
  text: string;
  citations: readonly Citation[];
  strings: Strings;
}

/** An answer. `[n]` becomes a link to source n, if that is a page. */
export const AnswerText = ({ text, citations, strings }: AnswerTextProps) => (
  <div class="text" dir="auto">
    <Markdown
      text={text}
      parts={{
        link: (url, children) => (
          <Link url={url} strings={strings}>
            {children}
          </Link>
        ),
        citation: (number) => {
          const cited = citations.find(({ sourceId }) => sourceId === number);
          return cited?.url ? (
            <Link class="cite" url={cited.url} strings={strings} label={`${number}: ${cited.title}`}>
              {number}
            </Link>
          ) : null;
        },
      }}
    />
  </div>
);
