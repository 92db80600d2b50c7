const { hostname, port, username, password, pathname } = new URL(process.env.DATABASE_URL);

module.exports = {
  connection: {
    client: 'mysql',
    connection: {
      host: hostname,
      port: Number(port),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      database: pathname.slice(1),
    },
    pool: { min: 2, max: 10 },
  },
};
