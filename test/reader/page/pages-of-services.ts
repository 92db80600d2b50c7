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
  /** Label of a link to the next panel, and of a link to the top of the page. */
  next: string;
  top: string;
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
    next: 'Weiter',
    top: 'Nach oben',
    names: ['leistung', 'band'],
  },
  {
    language: 'fr',
    title: 'Entretien des horloges',
    others: 'Nos autres métiers',
    more: 'En savoir plus',
    call: 'Un projet ?',
    button: 'Demander un devis',
    next: 'Suivant',
    top: 'Haut de page',
    names: ['bloc-lien', 'bandeau'],
  },
  {
    language: 'es',
    title: 'Mantenimiento de relojes',
    others: 'Otros servicios',
    more: 'Ver más',
    call: '¿Hablamos?',
    button: 'Pedir presupuesto',
    next: 'Siguiente',
    top: 'Subir',
    names: ['col-3', 'x-row'],
  },
  {
    language: 'pl',
    title: 'Konserwacja zegarów',
    others: 'Pozostałe usługi',
    more: 'Czytaj więcej',
    call: 'Masz pytania?',
    button: 'Umów wizytę',
    next: 'Dalej',
    top: 'Do góry',
    names: ['usluga', 'pasek'],
  },
  {
    language: 'ru',
    title: 'Уход за башенными часами',
    others: 'Другие услуги',
    more: 'Подробнее',
    call: 'Остались вопросы?',
    button: 'Записаться',
    next: 'Далее',
    top: 'Наверх',
    names: ['plitka', 'polosa'],
  },
  {
    language: 'ja',
    title: '塔時計の保守について',
    others: 'その他のサービス',
    more: '詳しくはこちら',
    call: 'ご相談ください',
    button: 'お問い合わせ',
    next: '次へ',
    top: 'トップへ',
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

/** Panels that end with a link to the next one, as the list of tabs has. */
const panels = firms.map((firm): PageKind => {
  const { language, title, others, more, next, names } = firm;
  const tabs = each(2, (n) => `<li><a href="#t${n}">${title} ${n + 30}</a></li>`);
  const parts = each(
    2,
    (n) =>
      `<section class="${names[0]}" id="t${n}"><h3>${title} ${n + 30}</h3><p>${said(language, n + 70)}</p><a href="/t${n}">${more}</a> <a href="#t${1 - n}">${next}</a></section>`,
  );
  return {
    name: `a service with panels that link to each other (${language})`,
    html: servicePage(firm, `<h2>${others}</h2><ul>${tabs}</ul>${parts}`),
    must: [...kept(firm), `${title} 30`, said(language, 70), `${title} 31`, said(language, 71)],
    mustNot: [],
  };
});

/** Short sections with a source each, and a link to the top. */
const sections = firms.map((firm): PageKind => {
  const { language, title, top, names } = firm;
  const parts = each(
    4,
    (n) =>
      `<div class="${names[1]}"><h3>${title} ${n + 40}</h3><p>${said(language, n + 75)} <a href="/q${n}">${n + 1950}</a></p><p><a href="#top">${top}</a></p></div>`,
  );
  return {
    name: `a service with sections that link to the top (${language})`,
    html: servicePage(firm, parts),
    must: [...kept(firm), `${title} 40`, said(language, 75), `${title} 43`, said(language, 78)],
    mustNot: [],
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

export const pagesOfServices: PageKind[] = [...cards, ...calls, ...panels, ...sections, ...overviews];
