/* A fresh database is filled with what the bench asks for: agents under the ids that Cadre gave them, sources of the first, and the key. */
const SOURCES = 40;

module.exports = {
  async bootstrap({ strapi }) {
    const { BENCH_KEY: key, BENCH_AGENTS: ids } = process.env;
    if (key === undefined || (await strapi.db.query('api::agent.agent').count()) > 0) return;
    await strapi.db.query('admin::api-token').create({
      data: { name: 'bench', type: 'full-access', accessKey: strapi.service('admin::api-token').hash(key) },
    });
    const agents = (ids ?? '').split(',').filter(Boolean);
    for (const documentId of agents)
      await strapi.db.query('api::agent.agent').create({
        data: { documentId, name: 'agent', settings: { ai: { instructionsPrompt: 'Answer in one line.' } } },
      });
    for (let n = 0; n < (agents.length === 0 ? 0 : SOURCES); n += 1)
      await strapi.documents('api::source.source').create({
        data: { agentId: agents[0], title: `Text ${n}`, sourceType: 'text_snippet', metadata: { chunks: 1 } },
      });
  },
};
