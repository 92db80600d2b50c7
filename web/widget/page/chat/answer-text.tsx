import { Lexer, type MarkedToken, type Token } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Citation } from '../../../client/answer-events.js';
import type { Strings } from '../strings.js';
import { Link } from './link.js';

export interface AnswerTextProps {
  text: string;
  citations: readonly Citation[];
  strings: Strings;
}

/** Renders Markdown as elements. HTML in it is shown as text. */
export function AnswerText({ text, citations, strings }: AnswerTextProps) {
  const tokens = useMemo(() => new Lexer({ gfm: true, breaks: true }).lex(text), [text]);
  return (
    <div class="text" dir="auto">
      {nodesOf(tokens, { citations, strings })}
    </div>
  );
}

interface Surroundings {
  citations: readonly Citation[];
  strings: Strings;
}

const nodesOf = (tokens: readonly Token[] | undefined, around: Surroundings): ComponentChildren[] =>
  (tokens ?? []).map((token) => nodeOf(token as MarkedToken, around));

function nodeOf(token: MarkedToken, around: Surroundings): ComponentChildren {
  const inner = (): ComponentChildren[] => nodesOf('tokens' in token ? token.tokens : [], around);
  switch (token.type) {
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'heading':
      return <p class="heading">{inner()}</p>;
    case 'list': {
      const items = token.items.map((item) => <li>{nodesOf(item.tokens, around)}</li>);
      return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
    }
    case 'checkbox':
      return token.checked ? '☑ ' : '☐ ';
    case 'blockquote':
      return <blockquote>{inner()}</blockquote>;
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: long lines are scrolled with the keyboard
        <pre tabIndex={0} dir="ltr">
          <code>{token.text}</code>
        </pre>
      );
    case 'hr':
      return <hr />;
    case 'table':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: wide tables are scrolled with the keyboard
        <div class="table" tabIndex={0}>
          <table>
            <thead>
              <tr>
                {token.header.map((cell) => (
                  <th>{nodesOf(cell.tokens, around)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{nodesOf(cell.tokens, around)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      );
    case 'strong':
      return <strong>{inner()}</strong>;
    case 'em':
      return <em>{inner()}</em>;
    case 'del':
      return <del>{inner()}</del>;
    case 'codespan':
      return <code>{token.text}</code>;
    case 'br':
      return <br />;
    case 'link':
      return (
        <Link url={token.href} strings={around.strings}>
          {inner()}
        </Link>
      );
    case 'image':
      return token.text;
    case 'text':
      return token.tokens ? inner() : withCitations(withoutEntities(token.text), around);
    case 'escape':
      return token.text;
    case 'html':
      return token.block ? <p>{token.text.trim()}</p> : token.text;
    default:
      return null;
  }
}

/** Turns `[n]` into a link to source n. */
const withCitations = (text: string, { citations, strings }: Surroundings): ComponentChildren[] =>
  text.split(/(\[\d+\])/).map((piece) => {
    const number = /^\[(\d+)\]$/.exec(piece)?.[1];
    const cited = citations.find(({ sourceId }) => sourceId === number);
    if (!cited?.url) return piece;
    return (
      <Link class="cite" url={cited.url} strings={strings} label={`${number}: ${cited.title}`}>
        {number}
      </Link>
    );
  });

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: '\u00a0',
};

const withoutEntities = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (all, name: string) => entities[name] ?? all);
