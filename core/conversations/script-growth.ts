import type { Script, ScriptItem } from '../ports/store/conversations/conversations.js';

/** Returns the items that a growing script has gained since the last call; of a text, its new part. */
export function createScriptGrowth(): (script: Script) => ScriptItem[] {
  let items = 0;
  /** Length of the last item, if it is a text. */
  let length = 0;

  return (script) => {
    const last = script[items - 1];
    const gained: ScriptItem[] = [];
    if (last?.kind === 'text' && last.text.length > length)
      gained.push({ ...last, text: last.text.slice(length) });
    gained.push(...script.slice(items));
    items = script.length;
    const newest = script.at(-1);
    length = newest?.kind === 'text' ? newest.text.length : 0;
    return gained;
  };
}
