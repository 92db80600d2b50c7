/* Strapi as it comes, without its panel, on a database of its own. Says where it listens as Cadre does. */
const { mkdirSync } = require('node:fs');
const { createStrapi } = require('@strapi/strapi');

mkdirSync(`${__dirname}/node_modules/.public/uploads`, { recursive: true });
createStrapi({ appDir: __dirname, distDir: __dirname })
  .start()
  .then((strapi) => {
    const { port } = strapi.server.httpServer.address();
    process.stdout.write(`listening on http://127.0.0.1:${port}\n`);
  });
