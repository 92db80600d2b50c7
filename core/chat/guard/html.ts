import { beginsBlock } from './code.js';
import type { Reading, Step } from './step.js';

/** Tags without attributes are harmless: they load nothing and link nowhere. */
const bareTag = /^<(\/?)([a-z][a-z0-9-]*)[ \t]*\/?>/i;
/** Tags that change how the following text is parsed. */
const changing = new Set(
  'script style iframe frame frameset object embed applet noscript template textarea title xmp plaintext svg math select noembed noframes'.split(
    ' ',
  ),
);
const autolink = /^<([a-z][a-z0-9+.-]{1,31}:[^\s<>]*|[^\s<>@]+@[^\s<>@]+)>/i;
const attributed = /^<(a|img)(?=[\s/])([^>\n]*)>/i;
const schemeOf = /^[a-z][a-z0-9+.-]*:\/\//i;
/** The start of a tag or an autolink whose end has not arrived yet. */
const unfinished =
  /^<(?:\/?[a-z][a-z0-9-]*[ \t]*\/?|(?:a|img)[\s/][^>\n]*|[a-z][a-z0-9+.-]*:[^\s<>]*|[^\s<>@]+(?:@[^\s<>]*)?|\/)$/i;

const attribute = (name: string, attributes: string): string | undefined => {
  const found = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3];
};

/**
 * Reads `<`: an autolink, a tag, or plain text. A space is inserted after the bracket of anything else that a
 * browser might parse as a tag.
 */
export function readAngle({ text, final, out, code, isKnownUrl }: Reading): Step {
  if (text.length === 1) {
    if (!final) return 'more';
    out.literal(text);
    return { read: 1 };
  }
  if (!/^<[a-z/!?]/i.test(text)) {
    out.literal('<');
    return { read: 1 };
  }
  if (unfinished.test(text) && !final) return 'more';

  const link = autolink.exec(text);
  if (link !== null) {
    const [whole, url = ''] = link;
    if (!isKnownUrl(url)) return { read: whole.length, again: url.replace(schemeOf, '') };
    out.checked(whole);
    return { read: whole.length };
  }
  const bare = bareTag.exec(text);
  if (bare !== null && !changing.has((bare[2] ?? '').toLowerCase())) {
    if (beginsBlock(out.line())) code.trusted = false;
    out.checked(bare[0]);
    return { read: bare[0].length };
  }
  const tag = attributed.exec(text);
  if (tag !== null) {
    const [whole, name = '', attributes = ''] = tag;
    if (name.toLowerCase() === 'img')
      return { read: whole.length, again: attribute('alt', attributes) ?? '' };
    const href = attribute('href', attributes);
    if (href === undefined || /["'`<>]/.test(href) || !isKnownUrl(href)) return { read: whole.length };
    if (beginsBlock(out.line())) code.trusted = false;
    out.checked(`<a href="${href}">`);
    return { read: whole.length };
  }
  out.literal('< ');
  return { read: 1 };
}
