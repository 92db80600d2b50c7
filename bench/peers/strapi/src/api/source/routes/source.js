module.exports = { routes: [{ method: 'GET', path: '/agents/:agentId/sources', handler: 'source.find' }] };
