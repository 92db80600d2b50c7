import { Lexer, type MarkedToken, type Token } from 'marked';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { isAllowed } from './link-schemes.js';

/** Renders the parts of an answer that differ between pages. */
export interface AnswerParts {
  link(url: string, children: ComponentChildren): ComponentChildren;
  /** Renders `[n]`. Returns null to leave it as text. */
  citation(number: string): ComponentChildren;
}

/** Renders Markdown as elements. HTML in it is shown as text. */
export function Markdown({ text, parts }: { text: string; parts: AnswerParts }) {
  const tokens = useMemo(() => withInlineCitations(new Lexer({ gfm: true, breaks: true }).lex(text)), [text]);
  return <>{nodesOf(tokens, parts)}</>;
}

const ONLY_CITATIONS = /^(?:\[\d+\]\s*)+$/;

/** Moves citations that form a paragraph of their own to the end of the paragraph before them. */
function withInlineCitations(tokens: readonly Token[]): Token[] {
  const shown: Token[] = [];
  for (const token of tokens) {
    const last = shown.findLast(({ type }) => type !== 'space');
    if (token.type === 'paragraph' && ONLY_CITATIONS.test(token.text) && last?.type === 'paragraph')
      shown[shown.indexOf(last)] = {
        ...last,
        tokens: [...(last.tokens ?? []), { type: 'text', raw: ' ', text: ' ' }, ...(token.tokens ?? [])],
      };
    else shown.push(token);
  }
  return shown;
}

const nodesOf = (tokens: readonly Token[] | undefined, parts: AnswerParts): ComponentChildren[] =>
  (tokens ?? []).map((token) => nodeOf(token as MarkedToken, parts));

function nodeOf(token: MarkedToken, parts: AnswerParts): ComponentChildren {
  const inner = (): ComponentChildren[] => nodesOf('tokens' in token ? token.tokens : [], parts);
  switch (token.type) {
    case 'paragraph':
      return <p>{inner()}</p>;
    case 'heading':
      return <p class="heading-text">{inner()}</p>;
    case 'list': {
      const items = token.items.map((item) => <li>{nodesOf(item.tokens, parts)}</li>);
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
                  <th>{nodesOf(cell.tokens, parts)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {token.rows.map((row) => (
                <tr>
                  {row.map((cell) => (
                    <td>{nodesOf(cell.tokens, parts)}</td>
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
      return isAllowed(token.href) ? parts.link(token.href, inner()) : inner();
    case 'image':
      return token.text;
    case 'text':
      return token.tokens ? inner() : withCitations(withoutEntities(token.text), parts);
    case 'escape':
      return token.text;
    case 'html':
      return token.block ? <p>{token.text.trim()}</p> : token.text;
    default:
      return null;
  }
}

const withCitations = (text: string, parts: AnswerParts): ComponentChildren[] =>
  text.split(/(\[\d+\])/).map((piece) => {
    const number = /^\[(\d+)\]$/.exec(piece)?.[1];
    return (number === undefined ? null : parts.citation(number)) ?? piece;
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
