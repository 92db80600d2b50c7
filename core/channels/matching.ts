import { normalForm } from '../../reader/normal-form.js';
import type { AutomationRow, AutomationType } from '../ports/store/channels/channels.js';

/** Normalises a text for comparison: NFKC, case folding, words separated by single spaces. */
const folded = (text: string): string =>
  ` ${normalForm(text, 'NFKC')
    .toUpperCase()
    .toLowerCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter(Boolean)
    .join(' ')} `;

function matches({ keywords }: Pick<AutomationRow, 'keywords'>, text: string): boolean {
  if (keywords.length === 0) return true;
  const words = folded(text);
  const symbols = normalForm(text, 'NFKC');
  return keywords.some((keyword) => {
    const wanted = folded(keyword);
    // A keyword of symbols only, such as an emoji, has no words.
    return wanted.trim() === '' ? symbols.includes(normalForm(keyword, 'NFKC')) : words.includes(wanted);
  });
}

/** Finds the automation for a text: the automation of its post or story, else the automation for any. */
export function matching(
  live: readonly AutomationRow[],
  { type, targetId, text }: { type: AutomationType; targetId: string; text: string },
): AutomationRow | null {
  const ofType = live.filter((automation) => automation.type === type);
  const specific = ofType.find(({ scope, ...of }) => scope === 'specific' && of.targetId === targetId);
  const any = ofType.find(({ scope }) => scope === 'any');
  // Compare the keywords of only two automations, because an agent may have many and anyone can send long texts.
  return [specific, any].find((automation) => automation && matches(automation, text)) ?? null;
}
