import { ok } from '@oazapfts/runtime';
import * as cadre from './client.js';

/*
 * Uses a client that was generated from the API's own description. Fields, codes and results have types.
 *
 *   npm install @oazapfts/runtime
 *   npx oazapfts "$CADRE_URL/openapi.json" client.ts && npx tsx ask.ts
 */

const { CADRE_URL = '', CADRE_API_KEY = '', CADRE_AGENT_ID = '' } = process.env;
cadre.defaults.baseUrl = `${CADRE_URL}/api/v2`;
cadre.defaults.headers = { authorization: `Bearer ${CADRE_API_KEY}` };

const { name } = await ok(cadre.getAgent(CADRE_AGENT_ID));
const { parts, metadata } = await ok(
  cadre.chat(CADRE_AGENT_ID, { message: 'When are you open?', stream: false }),
);
const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
console.log(`${name}: ${text}`);
for (const { title, quote } of metadata.citations ?? []) console.log(`- ${title}: ${quote}`);
