import { settingsGroups } from '../../../core/agent-settings/groups.js';
import { openApi } from '../../../core/http/openapi/document.js';
import type { Schema } from '../../../web/console/src/api/description.js';
import { fillOf, formProblems, sentenceOf } from '../../../web/console/src/forms/limits.js';
import { bodyOf, changesOf, entriesOf } from '../../../web/console/src/forms/values.js';
import { labelOf } from '../../../web/console/src/forms/words.js';
import { settingsPages } from '../../../web/console/src/pages/agent/settings/layout.js';
import t from '../../support/t.js';

const { schemas } = openApi().components as { schemas: Record<string, Schema> };
const schemaOf = (name: string): Schema => schemas[name] ?? {};

t.test('a form returns stored values unchanged and sends only changes', async (t) => {
  const design = schemaOf('PatchDesignSettings');
  const stored = {
    title: 'Help',
    branding: { appearance: 'Dark', primaryColorHeader: false },
    conversation: { defaultPrompts: { enabled: true, prompts: ['One', 'Two'] }, messagePlaceholder: 'Ask' },
  };
  const before = entriesOf(design, stored);
  t.equal(changesOf(design, before, before), undefined);
  t.same(changesOf(design, before, { ...before, prompts: 'One\n\nThree ', primaryColorHeader: true }), {
    prompts: ['One', 'Three '],
    primaryColorHeader: true,
  });
  t.same(changesOf(design, before, { ...before, bubbleIconUrl: '' }), { bubbleIconUrl: null }, 'null clears');
});

t.test('opening hours and the fields of a form are lines', async (t) => {
  const handover = schemaOf('PatchHandoverSettings');
  const stored = {
    hours: {
      timeZone: 'Europe/Berlin',
      days: {
        mon: [
          ['09:00', '12:00'],
          ['13:00', '17:00'],
        ],
      },
    },
    form: {
      fields: [
        { name: 'email', required: true },
        { name: 'message', required: false },
      ],
      intro: 'Hi',
    },
  };
  const before = entriesOf(handover, stored);
  t.match(before, {
    hours: { days: { mon: '09:00-12:00\n13:00-17:00' } },
    form: { fields: 'email*\nmessage' },
  });
  const hours = { timeZone: 'Europe/Berlin', days: { tue: '9:00 – 17:00' } };
  t.match(changesOf(handover, before, { ...before, hours }), {
    hours: { timeZone: 'Europe/Berlin', days: { tue: [['9:00', '17:00']] } },
  });
  t.match(changesOf(handover, before, { ...before, form: { fields: 'name\nphone *' } }), {
    form: {
      fields: [
        { name: 'name', required: false },
        { name: 'phone', required: true },
      ],
    },
  });
  t.same(changesOf(handover, before, { ...before, hours: {}, form: {} }), { hours: null, form: null });
});

t.test('a group is sent completely or not at all', async (t) => {
  const security = schemaOf('PatchSecuritySettings');
  const before = entriesOf(security, {});
  t.equal(bodyOf(security, before), undefined);
  const domains = { ...before, allowedDomains: { enabled: false, domains: undefined } };
  t.same(bodyOf(security, domains), { allowedDomains: { enabled: false, domains: [] } });
  const unsaid = { ...before, allowedDomains: { enabled: undefined, domains: 'acme.example' } };
  t.same(formProblems(security, unsaid), {});
  t.same(bodyOf(security, unsaid), {
    allowedDomains: { enabled: false, domains: ['acme.example'] },
  });
  const half = { ...before, rateLimit: { maxMessages: '5', windowSeconds: '9', limitMessage: undefined } };
  t.same(formProblems(security, half), {
    'rateLimit.windowSeconds': ['Enter a number from 10 to 3,600.'],
    'rateLimit.limitMessage': ['Enter a value.'],
  });
  const whole = { ...before, rateLimit: { maxMessages: '5', windowSeconds: '10', limitMessage: 'Wait.' } };
  t.same(formProblems(security, whole), {});
  t.same(bodyOf(security, whole), {
    rateLimit: { maxMessages: 5, windowSeconds: 10, limitMessage: 'Wait.' },
  });
});

t.test('limits count as the API counts: code points, bytes, lines', async (t) => {
  const text = schemaOf('AddText');
  t.same(formProblems(text, { title: '😀'.repeat(200), content: 'a' }), {});
  t.same(formProblems(text, { title: '😀'.repeat(201), content: 'a' }), {
    title: ['Use at most 200 characters.'],
  });
  t.same(formProblems(text, { title: 't', content: 'é'.repeat(131_073) }), {
    content: ['Use at most 262,144 bytes.'],
  });
  t.same(formProblems(text, { title: ' ', content: undefined }), {
    title: ['Enter a value.'],
    content: ['Enter a value.'],
  });
  const qna = schemaOf('AddQna');
  const questions = Array(11).fill('Why?').join('\n\n');
  t.same(formProblems(qna, { title: 't', answer: 'a', questions }), {
    questions: ['Use at most 10 lines.'],
  });
  t.same(formProblems(qna, { title: 't', answer: 'a', questions: 'x'.repeat(501) }), {
    questions: ['Use at most 500 characters on a line.'],
  });
  t.same(fillOf(qna.properties?.questions ?? {}, 'One?\n\nTwo?'), { used: 2, limit: 10, unit: 'lines' });
});

t.test('labels read like words', async (t) => {
  t.equal(labelOf('instructionsPrompt'), 'Instructions prompt');
  t.equal(labelOf('other_host'), 'Other host');
  t.equal(labelOf('bubbleIconUrl'), 'Bubble icon URL');
});

t.test('problems of the API become sentences of the form', async (t) => {
  const url = 'Enter a valid URL, for example https://example.com.';
  t.equal(sentenceOf('must be an absolute http or https URL of at most 2048 characters', 'URL'), url);
  t.equal(sentenceOf('must not be empty', 'Title'), 'Title must not be empty.');
  t.equal(sentenceOf('maxMessages must be >= 1', 'Messages'), 'Messages: must be >= 1.');
});

t.test('the pages of settings show every setting of the API, with a sentence', async (t) => {
  for (const { path, body } of settingsGroups) {
    // The page Widget has a switch beside the link.
    if (path === 'share') continue;
    const page = settingsPages.find(({ group }) => group === path);
    t.same(page?.sections.flatMap(({ fields }) => fields).sort(), Object.keys(body.properties).sort(), path);
    for (const name of Object.keys(body.properties)) t.ok(page?.texts[name]?.about, `${path}.${name}`);
  }
});
