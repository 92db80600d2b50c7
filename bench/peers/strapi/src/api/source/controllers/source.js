const { factories } = require('@strapi/strapi');

/** Strapi's own list, of one agent. */
module.exports = factories.createCoreController('api::source.source', () => ({
  async find(ctx) {
    ctx.query = {
      filters: { agentId: ctx.params.agentId },
      sort: 'id:desc',
      pagination: { limit: 20, withCount: false },
    };
    return super.find(ctx);
  },
}));
