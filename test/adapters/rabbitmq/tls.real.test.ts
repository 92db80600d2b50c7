import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import type { Test } from 'tap';
import { brokerAddress } from '../../../adapters/rabbitmq/broker-address.js';
import { makeCertificates, opensslMissing, pem } from '../../support/certificates.js';
import { commandLine } from '../../support/command-line.js';
import { launchMain } from '../../support/main-process.js';
import { amqpUrl, deleteQueues, freshPrefix, rabbitmqMissing } from '../../support/rabbitmq.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';
import { until } from '../../support/until.js';

/** Terminates TLS in front of the test broker. Resolves with its port. */
async function tlsProxy(t: Test, options: TlsOptions): Promise<number> {
  const { hostname, port } = new URL(amqpUrl);
  const server = createServer(options, (client) => {
    const broker = connect(Number(port || 5672), hostname);
    client.pipe(broker).pipe(client);
    for (const socket of [client, broker])
      socket
        .on('error', () => {})
        .on('close', () => {
          client.destroy();
          broker.destroy();
        });
  });
  server.on('tlsClientError', () => {});
  server.listen(0, 'localhost');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

const skip = (await rabbitmqMissing()) || opensslMissing();

t.test('a broker behind TLS that asks for a client certificate', { skip }, async (t) => {
  const { ca, server, client } = makeCertificates(tempFolder(t));
  const other = makeCertificates(tempFolder(t));
  const port = await tlsProxy(t, {
    ca: pem(ca),
    cert: pem(server.cert),
    key: pem(server.key),
    requestCert: true,
    rejectUnauthorized: true,
  });
  const [prefix, dataDir] = [freshPrefix(), tempFolder(t)];
  t.teardown(() => deleteQueues(prefix));
  const { username, password } = new URL(amqpUrl);
  const certificate = `certfile=${client.cert}&keyfile=${client.key}`;
  const launch = (parameters: string) =>
    launchMain(t, {
      AMQP_URL: `amqps://${username}:${password}@localhost:${port}/?${certificate}&${parameters}`,
      CADRE_PLUGINS_QUEUE_OPTION_PREFIX: prefix,
      ROLES: 'api',
      DATA_DIR: dataDir,
    });

  for (const parameters of [
    `cacertfile=${ca}`,
    'verify=verify_none',
    `cacertfile=${ca}&server_name_indication=localhost`,
  ])
    await t.test(`connects with ${parameters.replace(/\/\S*\//, '')}`, async (t) => {
      const main = launch(parameters);
      await until('the API connects', () => main.output.stdout.includes('connected to RabbitMQ'));
      t.match(main.output.stdout, /"queue":"rabbitmq at localhost:\d+, virtual host [^,]*, TLS"/);
      main.child.kill('SIGTERM');
      await main.ended;
    });

  for (const [parameters, reason] of [
    [`cacertfile=${other.ca}`, 'certificate'],
    [`cacertfile=${ca}&server_name_indication=elsewhere.example`, "does not match certificate's altnames"],
  ] as const)
    await t.test(`rejects a broker that it cannot verify: ${reason}`, async (t) => {
      const main = launch(parameters);
      t.equal((await main.ended).code, 1);
      t.match(main.output.stderr, `The TLS handshake with RabbitMQ at localhost:${port} failed`);
      t.match(main.output.stderr, reason);
    });

  await t.test('doctor reports it', async (t) => {
    const AMQP_URL = `amqps://${username}:${password}@localhost:${port}/?${certificate}&cacertfile=${ca}`;
    const env = { AMQP_URL, CADRE_PLUGINS_QUEUE_OPTION_PREFIX: prefix, DATA_DIR: tempFolder(t) };
    t.match((await commandLine(env).run('doctor')).out, /queue .*TLS/);
  });
});

t.test('invalid parameters of AMQP_URL', async (t) => {
  for (const [address, sentence] of [
    ['amqps://u:s3cret@mq/?cafile=/a', /^AMQP_URL has an unknown parameter "cafile". For TLS, use amqps:/],
    ['amqp://u:s3cret@mq/?verify=verify_peer', /^AMQP_URL has verify but does not enable TLS. Write amqps:/],
    ['amqps://u:s3cret@mq/?verify=yes', /^verify in AMQP_URL must be verify_peer or verify_none$/],
    ['amqps://u:s3cret@mq/?certfile=/a', /^AMQP_URL must name both certfile and keyfile, or neither$/],
    ['amqps://u:s3cret@mq/?cacertfile=/missing.pem', /^The file of cacertfile in AMQP_URL cannot be read/],
  ] as const)
    t.throws(() => brokerAddress(address), { message: sentence });
  t.same(brokerAddress('amqp://mq/v?heartbeat=9').url, 'amqp://mq/v?heartbeat=9');
});
