module.exports = {
  host: '127.0.0.1',
  port: Number(process.env.PORT),
  dirs: { public: './node_modules/.public' },
  app: { keys: ['key-of-the-bench'] },
  logger: { startup: { enabled: false }, updates: { enabled: false } },
};
