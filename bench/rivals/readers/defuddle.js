import { Defuddle } from 'defuddle/node';
import { parseHTML } from 'linkedom';

export async function read(bytes, name) {
  const { document } = parseHTML(new TextDecoder().decode(bytes));
  const { content } = await Defuddle(document, `https://site.example/${name}`, { useAsync: false });
  return { html: content };
}
