import { ignoreDamage, type OfficePackage, type Relationship } from '../office/package.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';

/** Maximum comments per slide. */
const MAX_COMMENTS = 1_000;
const MAX_AUTHORS = 10_000;

/** PowerPoint has two comment formats: the standard's, and the threaded comments of 2018 (`p188`). */
const comment = /^(?:p|p188):cm$/;
const commentOrReply = /^(?:p:cm|p188:cm|p188:reply)$/;
const author = /^(?:p:cmAuthor|p188:author)$/;
const text = /^(?:p:text|a:t)$/;

/** Returns the names of all comment authors by their id. */
export async function readAuthors(office: OfficePackage): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const open = (name: string, attributes: XmlAttributes) => {
    if (author.test(name)) names.set(attributes.get('id') ?? '', attributes.get('name')?.trim() ?? '');
  };
  const done = () => names.size >= MAX_AUTHORS;
  for (const { type, target } of await office.relationships(office.mainPart)) {
    if (type !== 'commentAuthors' && type !== 'authors') continue;
    await ignoreDamage(readPart(office.archive, target, { open, done }, office.limits));
  }
  return names;
}

/** Returns the comments on a slide, each followed by its replies, for example `Comment by Ada: text`. */
export async function readComments(
  office: OfficePackage,
  relationships: readonly Relationship[],
  authors: ReadonlyMap<string, string>,
): Promise<string[]> {
  const comments: string[] = [];
  // The file stores the text of a comment after its replies.
  let thread: string[] = [];
  const pending: { by: string; text: string }[] = [];
  let collecting = false;
  const handler = {
    open(name: string, attributes: XmlAttributes) {
      if (commentOrReply.test(name))
        pending.push({ by: authors.get(attributes.get('authorId') ?? '') ?? '', text: '' });
      else if (text.test(name)) collecting = true;
    },
    close(name: string) {
      if (text.test(name)) collecting = false;
      const innermost = pending.at(-1);
      if (innermost === undefined) return;
      if (name === 'a:p' || name === 'a:br') innermost.text += '\n';
      if (!commentOrReply.test(name)) return;
      pending.pop();
      const isComment = comment.test(name);
      const said = innermost.text.trim();
      const by = innermost.by === '' ? '' : ` by ${innermost.by}`;
      const line = said === '' ? [] : [`${isComment ? 'Comment' : 'Reply'}${by}: ${said}`];
      thread = isComment ? [...line, ...thread] : [...thread, ...line];
      if (!isComment) return;
      comments.push(...thread);
      thread = [];
    },
    text(piece: string) {
      const innermost = pending.at(-1);
      if (collecting && innermost !== undefined) innermost.text += piece;
    },
    done: () => comments.length + thread.length >= MAX_COMMENTS,
  };
  for (const { type, target } of relationships) {
    if (type === 'comments') await ignoreDamage(readPart(office.archive, target, handler, office.limits));
  }
  return comments;
}
