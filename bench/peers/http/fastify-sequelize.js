import fastify from 'fastify';
import { announce } from './announce.js';
import { agentOf, learn, listSources, presentAgent, presentAi, presentTraining, rename } from './straight.js';

/* Fastify as one writes it first: routes and models, no response schemas. */

const app = fastify({ bodyLimit: 2_097_152 });
app.addHook('preHandler', async (request, reply) => {
  request.agent = await agentOf(request.headers.authorization, request.params.agentId);
  if (!request.agent) return reply.code(404).send();
});
const answer =
  (work, status = 200) =>
  async ({ agent, body }, reply) =>
    reply.code(status).send(await work(agent, body));
const base = '/api/v2/agents/:agentId';
app.get(base, answer(presentAgent));
app.get(`${base}/settings/ai`, answer(presentAi));
app.get(`${base}/train`, answer(presentTraining));
app.get(
  `${base}/sources`,
  answer((agent) => listSources(agent)),
);
app.patch(base, answer(rename));
app.post(`${base}/sources/text`, answer(learn, 201));

announce(app.server);
await app.listen({ port: 0, host: '127.0.0.1' });
