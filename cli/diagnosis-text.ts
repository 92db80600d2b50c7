import { TLS_IF_OFFERED } from '../config/where-it-works.js';
import type { Health } from '../core/ports/health.js';
import type { Diagnosis } from './doctor.js';

const line = (name: string, { ok }: { ok: boolean }, about: string): string =>
  `${ok ? 'ok   ' : 'WRONG'} ${name.padEnd(14)} ${about}`;

const known = (parts: (string | null)[]): string => parts.filter((part) => part !== null).join(', ');

/** Formats one line for each part, then the advice. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { where, queue, pending, databaseVersion, databaseEncryption } = diagnosis;
  const isPlain = databaseVersion !== null && databaseEncryption === null;
  const counts =
    queue.workers === null ? null : `${queue.waiting} tasks waiting, ${queue.workers} workers listening`;
  const migrated: Pick<Health, 'ok'> = { ok: diagnosis.database.ok && pending.length === 0 };
  const advice = diagnosis.advice.map((what, n) => `  ${n + 1}. ${what}`);
  return [
    `Cadre ${diagnosis.version}, Node ${diagnosis.node}${diagnosis.installation ? `, installation ${diagnosis.installation}` : ''}`,
    '',
    line(
      'database',
      migrated,
      known([
        isPlain ? where.database.replace(TLS_IF_OFFERED, 'not encrypted') : where.database,
        databaseVersion,
        databaseEncryption && `encrypted with ${databaseEncryption}`,
        pending.length > 0 ? `${pending.length} migrations pending` : null,
      ]),
    ),
    line('queue', queue, known([where.queue, counts])),
    line('storage', diagnosis.storage, where.storage),
    line('search engine', diagnosis.retrieval, where.retrieval),
    line('embedding', diagnosis.embedding, where.embedding),
    ...Object.entries(diagnosis.models).map(([name, health]) => line(`model ${name}`, health, '')),
    '',
    ...(advice.length === 0 ? ['No advice: all is well.'] : ['What to do (advice):', ...advice]),
  ].join('\n');
}
