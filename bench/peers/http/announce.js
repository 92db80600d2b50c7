/** Says where the server listens, as Cadre does. */
export const announce = (server) =>
  server.once('listening', () =>
    process.stdout.write(`listening on http://127.0.0.1:${server.address().port}\n`),
  );
