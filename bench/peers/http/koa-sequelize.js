import Router from '@koa/router';
import Koa from 'koa';
import { koaBody } from 'koa-body';
import { announce } from './announce.js';
import { agentOf, learn, listSources, presentAgent, presentAi, presentTraining, rename } from './straight.js';

/* Koa as one writes it first: router, body parser, models. */

const router = new Router({ prefix: '/api/v2' });
router.use('/agents/:agentId', async (ctx, next) => {
  ctx.state.agent = await agentOf(ctx.get('authorization'), ctx.params.agentId);
  if (!ctx.state.agent) ctx.throw(404);
  await next();
});
const answer =
  (work, status = 200) =>
  async (ctx) => {
    ctx.body = await work(ctx.state.agent, ctx.request.body);
    ctx.status = status;
  };
router.get('/agents/:agentId', answer(presentAgent));
router.get('/agents/:agentId/settings/ai', answer(presentAi));
router.get('/agents/:agentId/train', answer(presentTraining));
router.get(
  '/agents/:agentId/sources',
  answer((agent) => listSources(agent)),
);
router.patch('/agents/:agentId', koaBody({ jsonLimit: '2mb' }), answer(rename));
router.post('/agents/:agentId/sources/text', koaBody({ jsonLimit: '2mb' }), answer(learn, 201));

announce(new Koa().use(router.routes()).listen(0, '127.0.0.1'));
