import { readPage } from '../../../reader/read-pages.js';
import t from '../../support/t.js';

const standsIn = (title: string, body: string, contentType = 'text/html'): boolean => {
  const html = contentType === 'text/html' ? `<!doctype html><title>${title}</title>${body}` : body;
  const reading = readPage({ bytes: Buffer.from(html), contentType, url: 'https://a.example/' });
  if (!reading.ok) throw new Error(`${title}: ${reading.code}`);
  return reading.content.isInterstitial === true;
};

t.test('recognises pages that replace the content, in many languages', async (t) => {
  for (const [title, body] of [
    [
      'Mill shop',
      '<h1>Your access to this site has been limited</h1><p>If you think you were blocked by mistake, contact the owner.</p>',
    ],
    ['Mill shop', '<p>Please enable JS and disable any ad blocker</p>'],
    [
      'Mill | 502: Bad gateway',
      '<h1>Bad gateway Error code 502</h1><p>The server reported a bad gateway.</p>',
    ],
    [
      'Mill',
      '<h1>Under construction</h1><p>Our website is under construction. Be the first to know when we open.</p>',
    ],
    [
      'Waiting room',
      '<h1>You are now in line</h1><p>Your estimated wait time is 7 minutes. This page will refresh automatically.</p>',
    ],
    ['Mill', '<h1>Your session has expired</h1><p>Sign in to continue to the mill.</p>'],
    [
      'Warteraum',
      '<p>Die geschätzte Wartezeit beträgt 7 Minuten. Die Seite aktualisiert sich automatisch.</p>',
    ],
    ['En mantenimiento', '<h1>Volvemos pronto</h1><p>Disculpe las molestias.</p>'],
    [
      'Security check',
      '<h1>Are you human?</h1><p>Your network sends automated requests. Solve the captcha to go on.</p>',
    ],
    ['¿Eres humano?', '<p>Hemos detectado tráfico inusual desde su red. Confirme que no es un robot.</p>'],
    ['Проверка браузера', '<p>Подтвердите, что вы не робот, и подождите несколько секунд.</p>'],
    [
      'Access denied',
      '<h1>Access denied</h1><p>You don’t have permission to view this page on this server.</p>',
    ],
    [
      'Wartungsarbeiten',
      '<p>Wegen Wartungsarbeiten geschlossen. Bitte versuchen Sie es in ein paar Minuten erneut.</p>',
    ],
    ['Maintenance', '<p>Le site est en cours de maintenance. Merci de revenir plus tard.</p>'],
    ['メンテナンス中', '<p>ただいまメンテナンス中です。しばらくしてから再度アクセスしてください。</p>'],
    ['Mill shop', '<p>An unexpected error occurred while the page was made. Please try again later.</p>'],
    [
      'Mill shop',
      '<p>Fatal error: Uncaught PDOException: SQLSTATE[HY000] [1040] Too many connections in /srv/mill/index.php:7</p>',
    ],
    ['502 Bad Gateway', '<h1>502 Bad Gateway</h1><hr><p>proxy</p>'],
    [
      'Bevor Sie fortfahren',
      '<p>Wir verwenden Cookies und ähnliche Techniken. Sie können alle akzeptieren oder alle ablehnen.</p>',
    ],
    ['Vineyard', '<h1>Are you 18 or older?</h1><p>You must be at least 18 years old to enter this site.</p>'],
    [
      'Weingut',
      '<h1>Sind Sie mindestens 18 Jahre alt?</h1><p>Bitte geben Sie Ihr Geburtsdatum ein, um fortzufahren.</p>',
    ],
    ['Mill shop', '<p>Our website is down for maintenance until 5 March.</p>'],
    [
      'Hold on',
      '<h1>Pardon our interruption</h1><p>Something about your browser made us think you were a bot.</p>',
    ],
    ['Weingut', '<p>Bist du schon 18? Bitte bestätige dein Alter.</p>'],
  ] as const)
    t.ok(standsIn(title, body), title);
  t.ok(standsIn('', 'Service Unavailable', 'text/plain'));
});

t.test('pages about such subjects are content', async (t) => {
  const about = (text: string) => `<p>${text} `.repeat(8);
  for (const [title, body] of [
    [
      'Garden maintenance',
      '<h1>Garden maintenance</h1><p>We cut hedges from March to November. A visit costs 40 euro.</p>',
    ],
    [
      'Wartung',
      '<h1>Wartung</h1><p>Die Wartung Ihrer Heizung kostet 120 Euro. Wir messen die Abgase und reinigen den Brenner.</p>',
    ],
    [
      'Opening hours',
      '<p>We are open from nine to five. On Mondays we are closed; sorry for the inconvenience.</p>',
    ],
    [
      'The bar',
      '<p>You must be 18 or older to order wine. The kitchen closes at ten. Tables are booked by phone.</p>',
    ],
    [
      'Cookie policy',
      `<h1>Cookie policy</h1>${about('We use cookies to remember your language. They are deleted after a day.')}`,
    ],
    [
      'How to mend error 502',
      `<h1>How to mend error 502</h1>${about('Look into the log of the application, then restart it and check its port.')}`,
    ],
    ['Pool', '<h1>Pool</h1><p>The pool is closed for maintenance until 5 March.</p>'],
    ['Bad', '<h1>Bad</h1><p>Das Bad ist wegen Wartungsarbeiten bis zum 5. März geschlossen.</p>'],
    [
      'Error codes',
      '<h1>Error codes</h1><p>E1: there is no water. E2: the lid is open. E3: call the workshop.</p>',
    ],
  ] as const)
    t.notOk(standsIn(title, body), title);
  for (const text of [
    'We have detected unusual traffic from 203.0.113.7.',
    'We have detected unusual activity from your IP 203.0.113.7.',
    'We are down for maintenance until 5 pm.',
    'Down for maintenance until 17:00.',
    'We are down for maintenance until 5 March.',
    'Wegen Wartungsarbeiten sind wir bis zum 5. März offline.',
    'You have been blocked until 5 March.',
  ])
    t.ok(standsIn('Acme', `<p>${text}</p>`), text);
});
