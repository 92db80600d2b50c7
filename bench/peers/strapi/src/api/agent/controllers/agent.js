const { factories } = require('@strapi/strapi');

/** Strapi's own update; only the envelope of the body is its own. */
module.exports = factories.createCoreController('api::agent.agent', () => ({
  async update(ctx) {
    ctx.request.body = { data: ctx.request.body };
    return super.update(ctx);
  },
}));
