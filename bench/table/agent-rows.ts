import { v7 as uuidv7 } from 'uuid';
import { residentMb } from '../figures.js';
import { load } from './http-load.js';
import type { Installation } from './installation.js';
import type { Lengths } from './lengths.js';
import type { Line, Progress } from './line.js';

const CLIENTS = 64;
const ROWS = 1000;

/** What the API holds after so many agents have had a message. The agents are written straight into the database, the messages come by HTTP. */
export async function agentRows(
  installation: Installation,
  { touched }: Lengths,
  progress: Progress,
): Promise<Line[]> {
  const { api, database, workspaceId, cadre, key } = installation;
  const line = (who: string, note: string): Line => ({
    what: 'memory of the API by agents touched',
    unit: 'MB',
    who,
    values: [residentMb(cadre.pid)].filter((mb) => mb !== null),
    note,
  });
  const lines = [line('0 agents', 'just started')];
  const ids = Array.from({ length: Math.max(...touched) }, () => uuidv7());
  const { id: model } = await api.call<{ id: string }>('POST', '/agents', { name: 'the first' });
  const [columns] = await database.query('SHOW COLUMNS FROM agents');
  const others = (columns as { Field: string }[]).map(({ Field }) => Field).filter((name) => name !== 'id');
  progress('agents are written');
  await database.query('CREATE TEMPORARY TABLE new_ids (id CHAR(36) CHARACTER SET ascii PRIMARY KEY)');
  for (let at = 0; at < ids.length; at += ROWS)
    await database.query('INSERT INTO new_ids VALUES ?', [ids.slice(at, at + ROWS).map((id) => [id])]);
  await database.query(
    `INSERT INTO agents (id, ${others.join(', ')}) SELECT n.id, ${others.map((name) => `a.${name}`).join(', ')}
      FROM new_ids n, agents a WHERE a.id = ?`,
    [model],
  );
  await database.query('UPDATE workspaces SET agents = agents + ? WHERE id = ?', [ids.length, workspaceId]);

  let next = 0;
  let failed = 0;
  for (const count of touched) {
    while (next < count) {
      const result = await load({
        baseUrl: cadre.baseUrl,
        key,
        connections: CLIENTS,
        ms: Number.POSITIVE_INFINITY,
        status: 200,
        next: () => {
          if (next >= count) return null;
          const path = `/api/v2/agents/${ids[next]}`;
          next += 1;
          return { method: 'PATCH', path, body: { name: `touched ${next}` } };
        },
      });
      failed += result.failed;
    }
    progress(`${count} agents touched`);
    lines.push(
      line(`${count.toLocaleString('en-US')} agents`, `a PATCH each, ${CLIENTS} clients, ${failed} failed`),
    );
  }
  return lines;
}
