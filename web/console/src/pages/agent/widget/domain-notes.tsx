import type { ComponentChildren } from 'preact';
import { type Surroundings, surroundings, widgetOrigin } from '../../../api/surroundings.js';
import { type Entries, linesOf } from '../../../forms/values.js';
import { useLoaded } from '../../../loading.js';
import { notesOnDomains } from './domain-rules.js';

/** Notes for the form of the security settings. */
export function domainNotesOf({ allowedDomains }: Entries): Record<string, ComponentChildren> {
  const { enabled, domains } = (allowedDomains ?? {}) as Entries;
  if (enabled !== true) return {};
  return { allowedDomains: <DomainNotes domains={typeof domains === 'string' ? linesOf(domains) : []} /> };
}

/** Explains how browsers interpret expressions for allowed domains. */
export function DomainNotes({ domains }: { domains: readonly string[] }) {
  const { data } = useLoaded(surroundings, []);
  if (!data) return null;
  const notes = notesOnDomains(domains, isSecure(data));
  if (notes.length === 0) return null;
  return (
    <ul class="hint" aria-label="About these domains">
      {notes.map(({ expression, note }) => (
        <li key={expression + note}>
          <code>{expression}</code>: {note}
        </li>
      ))}
    </ul>
  );
}

const isSecure = (known: Surroundings): boolean => widgetOrigin(known).startsWith('https:');
