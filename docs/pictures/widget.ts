import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Frame } from 'playwright-core';
import { apiClient } from '../../test/support/api-client.js';
import { bootstrapKey, type ServerProcess } from '../../test/support/server-process.js';

/*
 * Takes the pictures of docs/widget.md: the widget on pages of a site.
 */

/** Name of the site, under which the agent knows its pages. */
const SITE = 'https://harbour-bicycles.example';
const DESKTOP = { width: 1100, height: 780 };
const PHONE = { width: 390, height: 760 };

const english = {
  title: 'Hire prices',
  text: 'A city bicycle costs 12 a day and 60 a week. A cargo bicycle costs 28 a day and carries two children.',
  rest: 'Every hire includes a lock, lights and the repair of punctures. The deposit is 50.',
};
const arabic = {
  title: 'أسعار التأجير',
  text: 'تكلفة دراجة المدينة 12 في اليوم و60 في الأسبوع. تكلفة دراجة الشحن 28 في اليوم.',
  rest: 'يشمل كل تأجير قفلًا وأضواء وإصلاح الثقوب. مبلغ التأمين 50.',
};

interface Picture {
  name: string;
  agentName: string;
  design: object;
  /** Page of the site. */
  path: string;
  /** Of the text on the page, opposite to the widget. */
  side?: 'left' | 'right';
  question: string;
  answer: RegExp;
  context: BrowserContextOptions;
}

const pictures: Picture[] = [
  {
    name: 'desktop',
    agentName: 'Harbour Bicycles',
    design: {
      language: 'en',
      initialMessages: ['Hello! What would you like to know about our bicycles?'],
      prompts: ['Which bicycle carries children?', 'What does a hire include?'],
      keepShowing: true,
    },
    path: '/hire',
    question: 'How much is a city bicycle a day?',
    answer: /costs 12 a day/,
    context: { viewport: DESKTOP, colorScheme: 'light' },
  },
  {
    name: 'phone',
    agentName: 'Harbour Bicycles',
    design: { language: 'en', primaryColor: '#0b6e4f', primaryColorHeader: true },
    path: '/hire',
    question: 'What does every hire include?',
    answer: /a lock, lights/,
    context: { viewport: PHONE, colorScheme: 'light', isMobile: true, hasTouch: true },
  },
  {
    name: 'dark',
    agentName: 'Harbour Bicycles',
    design: { language: 'en', primaryColor: '#e0b13c', primaryColorHeader: true, position: 'bottom-left' },
    path: '/hire',
    side: 'right',
    question: 'How much is a cargo bicycle a day?',
    answer: /costs 28 a day/,
    context: { viewport: DESKTOP, colorScheme: 'dark' },
  },
  {
    name: 'right-to-left',
    agentName: 'دراجات الميناء',
    design: { language: 'ar', initialMessages: ['مرحبًا! كيف يمكنني مساعدتك؟'] },
    path: '/ar',
    question: 'كم تكلفة دراجة المدينة في اليوم؟',
    answer: /12/,
    context: { viewport: DESKTOP, colorScheme: 'light' },
  },
];

/** Starts a site about bicycles. The query of an address names the service and the agent whose widget is on the page. */
export async function startSite(): Promise<{ server: Server; origin: string; resolve: object }> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, SITE);
    const isArabic = pathname === '/ar';
    const { title, text, rest } = isArabic ? arabic : english;
    const [api, agent, side = 'left'] = ['api', 'agent', 'side'].map(
      (name) => searchParams.get(name) ?? undefined,
    );
    const tag = api && agent ? `<script src="${api}/widget.js" data-agent-id="${agent}" async></script>` : '';
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(
      `<!doctype html><html lang="${isArabic ? 'ar' : 'en'}" dir="${isArabic ? 'rtl' : 'ltr'}"><head><title>${title}</title>
      <meta name="viewport" content="width=device-width"><style>:root { color-scheme: light dark } body { max-width: 34rem;
      margin: 3rem auto; margin-${side}: 4rem; font: 1.1rem/1.7 system-ui, sans-serif }</style></head>
      <body><main><h1>${title}</h1><p>${text}</p><p>${rest}</p></main>${tag}</body></html>`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { server, origin, resolve: { [SITE]: origin } };
}

/** Takes all pictures. `origin` is that of the site. */
export async function takeWidget(
  browser: Browser,
  { baseUrl }: ServerProcess,
  origin: string,
): Promise<void> {
  const api = apiClient(baseUrl, bootstrapKey);
  for (const { name, agentName, design, path, side = 'left', question, answer, context } of pictures) {
    const { id } = await api.agent(agentName);
    await api.patch(`/agents/${id}/settings/design`, design);
    const { body } = await api.post<{ jobId: string }>(`/agents/${id}/sources/url`, { url: SITE + path });
    await api.get(`/agents/${id}/jobs/${body.jobId}?wait=30`);

    const opened = await browser.newContext({ ...context, reducedMotion: 'reduce' });
    const page = await opened.newPage();
    const framed = page.waitForEvent('framenavigated', (frame: Frame) => frame.url().startsWith(baseUrl));
    await page.goto(`${origin}${path}?api=${encodeURIComponent(baseUrl)}&agent=${id}&side=${side}`);
    const frame = await framed;
    await frame.locator('.bubble').click();
    await frame.getByRole('textbox').fill(question);
    await page.keyboard.press('Enter');
    await frame.getByRole('log').getByText(answer).waitFor();
    await frame.getByRole('log').getByRole('link').first().waitFor();
    await page.screenshot({ path: fileURLToPath(new URL(`widget-${name}.png`, import.meta.url)) });
    await opened.close();
  }
}
