/** Errors that a retry cannot solve, by the text of the broker or the driver, with instructions for the operator. */
const refusals: readonly [text: RegExp, sentence: (place: Place, text: string) => string][] = [
  [
    /certificate|Hostname\/IP does not match/,
    ({ broker }, text) =>
      `The TLS handshake with RabbitMQ at ${broker} failed: ${text}. Correct cacertfile, certfile, keyfile or server_name_indication in AMQP_URL`,
  ],
  [
    /ACCESS-REFUSED/,
    ({ broker, user }) =>
      `RabbitMQ at ${broker} refused the login of "${user}". Correct the user name or the password in AMQP_URL`,
  ],
  [
    // The driver hides the broker's text, but the reason is always NOT_ALLOWED.
    /Expected ConnectionOpenOk; got <ConnectionClose/,
    ({ broker, user, vhost }) =>
      `RabbitMQ at ${broker} has no virtual host "${vhost}", or "${user}" may not use it. Create it or grant access (rabbitmqctl add_vhost, set_permissions), or correct AMQP_URL`,
  ],
  [
    /ACCESS_REFUSED/,
    ({ broker, user, vhost }, text) =>
      `RabbitMQ at ${broker} denied "${user}" access in the virtual host "${vhost}": ${text}. Grant the permissions to configure, write and read`,
  ],
  [
    /PRECONDITION_FAILED - inequivalent arg 'x-dead-letter-routing-key' for queue '[^']*\.installation'/,
    ({ broker, vhost }, text) => {
      const [, prefix] = /queue '(.*)\.installation'/.exec(text) ?? [];
      // The broker truncates its messages to 255 bytes.
      const [, owner = 'unknown'] = /current is '(\w+)'/.exec(text) ?? [];
      return `RabbitMQ at ${broker}, virtual host "${vhost}": the queues with the prefix "${prefix}" belong to another installation (${owner}). Give each installation its own prefix or virtual host. If the other installation no longer exists, for example after a restore, run \`npx cadre installation adopt\``;
    },
  ],
  [
    /PRECONDITION_FAILED/,
    ({ broker, vhost }, text) =>
      `RabbitMQ at ${broker}, virtual host "${vhost}", has a queue with other properties than Cadre requires: ${text}. Delete the queue while it is empty, or choose another prefix`,
  ],
];

interface Place {
  broker: string;
  vhost: string;
  user: string;
}

const placeOf = (url: string): Place => {
  const { hostname, port, pathname, username, protocol } = new URL(url);
  return {
    broker: `${hostname}:${port || (protocol === 'amqps:' ? 5671 : 5672)}`,
    vhost: pathname.length > 1 ? decodeURIComponent(pathname.slice(1)) : '/',
    user: decodeURIComponent(username) || 'guest',
  };
};

/** Returns why the broker refuses this client and what to do, without the password; null if a retry may succeed. */
export function refusalOf({ message }: Error, url: string): string | null {
  const [, sentence] = refusals.find(([text]) => text.test(message)) ?? [];
  const [, text = message] = /message "([^"]*)"/.exec(message) ?? [];
  return sentence?.(placeOf(url), text) ?? null;
}
