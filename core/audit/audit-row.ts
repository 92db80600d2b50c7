import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../ports/clock.port.js';
import type { AuditRow, ChangeContext, ChangeOutcome, ShownValue } from '../ports/store/audit.js';
import { auditedOperations, type Shown } from './operations.js';

/** Maximum length of a text, in characters. */
const LONGEST = 200;

/** Returns the row of a change; null if it had no effect. */
export function auditRow(
  { workspaceId, actor, action, agentId, requestId, address, atMs, sent }: ChangeContext,
  { target, before, after = sent }: ChangeOutcome,
): AuditRow | null {
  const fields = Object.entries(auditedOperations[action] ?? {});
  const changes: AuditRow['changes'] = {};
  for (const [field, how] of fields) {
    const [from, to] = [before, after].map(
      (state) => (state as Record<string, unknown> | undefined)?.[field],
    );
    if (to === undefined || isDeepStrictEqual(from ?? null, to)) continue;
    changes[field] = { before: shown(from, how), after: shown(to, how) };
  }
  if (before && fields.length > 0 && Object.keys(changes).length === 0) return null;
  return {
    // By the time of the row, because filters by time compare ids.
    id: uuidv7({ msecs: atMs }),
    workspaceId,
    at: seconds(atMs),
    actor: { ...actor, label: cut(actor.label) },
    action,
    target: { ...target, label: target.label === null ? null : cut(target.label) },
    agentId: agentId ?? (target.type === 'agent' ? target.id : null),
    changes,
    requestId,
    address,
  };
}

const cut = (text: string): string => {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
};

function shown(value: unknown, how: Shown): ShownValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (how === 'hash')
    return { length: [...text].length, sha256: createHash('sha256').update(text).digest('hex') };
  return cut(how === 'url' ? plainUrl(text) : text);
}

function plainUrl(text: string): string {
  // The path of a picture of the agent.
  if (text.startsWith('/')) return text;
  if (!URL.canParse(text)) return '';
  const { protocol, host, pathname } = new URL(text);
  return `${protocol}//${host}${pathname}`;
}
