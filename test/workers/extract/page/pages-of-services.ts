import { type Language, said, spoken, spokenParagraphs } from './languages.js';
import { each, type PageKind, page } from './made-page.js';

/** Words of a firm in one language, and class names of its content system. */
interface Firm {
  language: Language;
  title: string;
  others: string;
  more: string;
  call: string;
  button: string;
  /** Class of a card and of a call to action. */
  names: [string, string];
}

const firms: readonly Firm[] = [
  {
    language: 'de',
    title: 'Wartung von Turmuhren',
    others: 'Weitere Leistungen',
    more: 'Mehr erfahren',
    call: 'Haben Sie Fragen?',
    button: 'Termin vereinbaren',
    names: ['leistung', 'band'],
  },
  {
    language: 'fr',
    title: 'Entretien des horloges',
    others: 'Nos autres métiers',
    more: 'En savoir plus',
    call: 'Un projet ?',
    button: 'Demander un devis',
    names: ['bloc-lien', 'bandeau'],
  },
  {
    language: 'es',
    title: 'Mantenimiento de relojes',
    others: 'Otros servicios',
    more: 'Ver más',
    call: '¿Hablamos?',
    button: 'Pedir presupuesto',
    names: ['col-3', 'x-row'],
  },
  {
    language: 'pl',
    title: 'Konserwacja zegarów',
    others: 'Pozostałe usługi',
    more: 'Czytaj więcej',
    call: 'Masz pytania?',
    button: 'Umów wizytę',
    names: ['usluga', 'pasek'],
  },
  {
    language: 'ru',
    title: 'Уход за башенными часами',
    others: 'Другие услуги',
    more: 'Подробнее',
    call: 'Остались вопросы?',
    button: 'Записаться',
    names: ['plitka', 'polosa'],
  },
  {
    language: 'ja',
    title: '塔時計の保守について',
    others: 'その他のサービス',
    more: '詳しくはこちら',
    call: 'ご相談ください',
    button: 'お問い合わせ',
    names: ['box-l', 'obi'],
  },
];

const servicePage = ({ language, title, button }: Firm, part: string): string =>
  page(
    `${title} - Firm`,
    `<div class="top"><a href="/kontakt">${button}</a></div><div class="w"><h1>${title}</h1>${spokenParagraphs(language, 0, 3)}${part}<h2>${title} 2</h2>${spokenParagraphs(language, 9, 2)}</div>`,
  );

const kept = ({ language, title }: Firm): string[] => [title, said(language, 0), said(language, 11)];

const cardOf = ({ language, title, more, names }: Firm, n: number, isLink: boolean): string => {
  const text = `<h3>${title} ${n + 7}</h3><p>${said(language, n + 60)}</p>`;
  return isLink
    ? `<div class="${names[0]}"><a href="/s${n}">${text}</a></div>`
    : `<div class="${names[0]}">${text}<a href="/s${n}">${more}</a></div>`;
};

const cards = firms.map(
  (firm, i): PageKind => ({
    name: `a service with cards of other services (${firm.language})`,
    html: servicePage(
      firm,
      `<h2>${firm.others}</h2><div>${each(4, (n) => cardOf(firm, n, i % 3 === 2))}</div>`,
    ),
    must: kept(firm),
    mustNot: [`${firm.title} 7`, `${firm.title} 10`, said(firm.language, 61), firm.others],
  }),
);

const calls = firms.map((firm): PageKind => {
  const { language, call, button, names } = firm;
  return {
    name: `a service with a call to action (${language})`,
    html: servicePage(
      firm,
      `<div class="${names[1]}"><div><h2>${call}</h2><p>${said(language, 80)}</p><p><a href="/kontakt">${button}</a></p></div></div>`,
    ),
    must: kept(firm),
    mustNot: [call, said(language, 80), button],
  };
});

const overviews = firms.map((firm): PageKind => {
  const { language, title } = firm;
  return {
    name: `an overview of services, and features without links (${language})`,
    html: page(
      `${title} - Firm`,
      `<div class="w"><h1>${title}</h1><p>${spoken(language, 0, 2)}</p><div>${each(6, (n) => cardOf(firm, n, false))}</div>
      <div>${each(3, (n) => `<div class="f"><h3>${title} ${n + 20}</h3><p>${said(language, n + 90)}</p></div>`)}</div></div>`,
    ),
    must: [
      title,
      said(language, 0),
      `${title} 7`,
      `${title} 12`,
      said(language, 61),
      `${title} 20`,
      said(language, 92),
    ],
    mustNot: [],
  };
});

export const pagesOfServices: PageKind[] = [...cards, ...calls, ...overviews];
