import { TLS_IF_OFFERED } from '../config/where-it-works.js';
import type { Checked } from './checked.js';
import type { ApiDiagnosis, Diagnosis, WorkerDiagnosis } from './diagnosis.js';
import { escaped } from './escaped.js';

interface Line {
  check: Checked;
  name: string;
  about: string;
}

/** Checks that have no line of their own. */
const WITHOUT_LINE = 'clocks, keys, plans, waiting jobs, proxies and secrets of agents';

const known = (parts: (string | null)[]): string => parts.filter((part) => part).join(', ');

const verdictOf = ({ ok }: Checked): string => (ok === null ? 'not checked' : ok ? 'ok' : 'WRONG');

/** Formats a line for each part, followed by the advice. */
export function diagnosisText(diagnosis: Diagnosis): string {
  const { role, installation } = diagnosis;
  const lines = role === 'api' ? linesOfApi(diagnosis) : linesOfWorker(diagnosis);
  const width = Math.max(...lines.map(({ check }) => verdictOf(check).length), 'WRONG'.length);
  const advice = diagnosis.advice.map((what, n) => `  ${n + 1}. ${escaped(what)}`);
  return [
    known([
      `Cadre ${diagnosis.version}`,
      `Node ${diagnosis.node}`,
      role === 'worker' ? 'worker' : null,
      installation && `installation ${installation}`,
    ]),
    '',
    ...lines.map(({ check, name, about }) =>
      escaped(
        [
          verdictOf(check).padEnd(width),
          name.padEnd(14),
          check.ok === null && about ? `${about}: ${check.reason}` : about,
        ].join(' '),
      ),
    ),
    '',
    ...(advice.length === 0 ? ['No advice: all is well.'] : ['What to do (advice):', ...advice]),
  ].join('\n');
}

function linesOfApi(diagnosis: ApiDiagnosis): Line[] {
  const { where, database, pending, databaseVersion, databaseEncryption, retrieval } = diagnosis;
  const isPlain = databaseVersion !== null && databaseEncryption === null;
  const isUsable = database.ok && pending?.length === 0;
  const isShared = diagnosis.sharedStorage !== null;
  return [
    {
      check: isUsable ? { ok: true } : { ok: false, reason: '' },
      name: 'database',
      about: known([
        isPlain ? where.database.replace(TLS_IF_OFFERED, 'not encrypted') : where.database,
        databaseVersion,
        databaseEncryption && `encrypted with ${databaseEncryption}`,
        pending !== null && pending.length > 0 ? `${pending.length} migrations pending` : null,
      ]),
    },
    ...(retrieval.ok === null ? [{ check: retrieval, name: 'other checks', about: WITHOUT_LINE }] : []),
    queueLine(diagnosis),
    {
      check: isShared ? { ok: false, reason: '' } : diagnosis.storage,
      name: 'storage',
      about: where.storage,
    },
    { check: retrieval, name: 'search engine', about: where.retrieval },
    { check: diagnosis.embedding, name: 'embedding', about: where.embedding },
    { check: diagnosis.mail, name: 'mail', about: '' },
    { check: diagnosis.openid, name: 'openid', about: '' },
    ...Object.entries(diagnosis.models).map(([name, check]) => ({
      check,
      name: `model ${name}`,
      about: '',
    })),
  ];
}

const linesOfWorker = (diagnosis: WorkerDiagnosis): Line[] => [
  queueLine(diagnosis),
  { check: diagnosis.storage, name: 'storage', about: diagnosis.where.storage },
  { check: diagnosis.embedding, name: 'embedding', about: diagnosis.where.embedding },
];

function queueLine({ queue, where }: Diagnosis): Line {
  const counts =
    queue.workers === null ? null : `${queue.waiting} tasks waiting, ${queue.workers} workers listening`;
  return { check: queue, name: 'queue', about: known([where.queue, counts]) };
}
