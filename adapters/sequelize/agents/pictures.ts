import type { Pictures } from '../../../core/ports/store/agents/pictures.js';
import type { Connection } from '../database/connection.js';
import { pictureOf } from '../tables/pictures.js';

export const createPictures = ({ read }: Connection): Pictures => ({
  async find(hash) {
    const [row] = await read('SELECT * FROM pictures WHERE hash = ?', [hash]);
    return row ? pictureOf(row) : null;
  },
  async of(agentId) {
    return (await read('SELECT * FROM pictures WHERE agent_id = ?', [agentId])).map(pictureOf);
  },
});
