module.exports = { rest: { prefix: '/api/v2', defaultLimit: 20, maxLimit: 100 } };
