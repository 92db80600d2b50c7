module.exports = {
  routes: [
    { method: 'GET', path: '/agents/:id', handler: 'agent.findOne' },
    { method: 'PATCH', path: '/agents/:id', handler: 'agent.update' },
  ],
};
