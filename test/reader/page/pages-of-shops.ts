import { type Language, said, spoken, spokenParagraphs } from './languages.js';
import { each, type PageKind, page } from './made-page.js';

/** Words of shops in one language, and class names of its content system. */
interface Shop {
  language: Language;
  product: string;
  reviews: string;
  service: string;
  others: string;
  price: (n: number) => string;
  /** Class of the element with the description, of a card, and of a part about the shop. */
  names: [string, string, string];
  facets: string;
}

const shops: readonly Shop[] = [
  {
    language: 'de',
    product: 'Wanduhr aus Eiche',
    reviews: 'Kundenbewertungen (12)',
    service: 'Versand und Rückgabe',
    others: 'Noch mehr Uhren',
    price: (n) => `${n},90 €`,
    names: ['beschr', 'kachel', 'versand-block'],
    facets: 'facetten filter-box',
  },
  {
    language: 'fr',
    product: 'Horloge murale en chêne',
    reviews: 'Avis clients',
    service: 'Livraison et retours',
    others: 'Notre sélection',
    price: (n) => `${n},90 €`,
    names: ['texte-p', 'vignette', 'avis'],
    facets: 'filters',
  },
  {
    language: 'es',
    product: 'Reloj de pared de roble',
    reviews: 'Opiniones de clientes',
    service: 'Envíos y devoluciones',
    others: 'Del mismo taller',
    price: (n) => `${n},90 EUR`,
    names: ['ficha', 'tarjeta', 'opiniones'],
    facets: 'facet-list',
  },
  {
    language: 'pl',
    product: 'Zegar ścienny z dębu',
    reviews: 'Opinie klientów (4)',
    service: 'Dostawa i płatność',
    others: 'Z tej samej kolekcji',
    price: (n) => `${n},90 zł`,
    names: ['tresc', 'kafel', 'dostawa'],
    facets: 'sort-options',
  },
  {
    language: 'ru',
    product: 'Настенные часы из дуба',
    reviews: 'Отзывы покупателей',
    service: 'Доставка и оплата',
    others: 'Из той же мастерской',
    price: (n) => `${n}90 ₽`,
    names: ['t-1', 'k-2', 'otzyvy'],
    facets: 'layered-nav',
  },
  {
    language: 'ja',
    product: '樫の木でできた壁掛け時計',
    reviews: 'カスタマーレビュー',
    service: '配送・返品について',
    others: '同じ工房の品',
    price: (n) => `${n},900円`,
    names: ['setsumei', 'card-x', 'shipping'],
    facets: 'facetGroup',
  },
  {
    language: 'en',
    product: 'Wall clock of oak',
    reviews: 'Ratings & reviews (31)',
    service: 'Shipping, returns & payment',
    others: 'From the same workshop',
    price: (n) => `£ ${n}.90`,
    names: ['c8', 'sku', 'customer-reviews'],
    facets: 'refine',
  },
];

const declared =
  '<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"x"}</script>';

const productPage = ({ language, product, names }: Shop, after: string, head = declared): string =>
  page(
    `${product} - Shop`,
    `<div class="w"${head === '' ? ' itemscope itemtype="https://schema.org/Product"' : ''}><h1>${product}</h1><div class="${names[0]}">${spokenParagraphs(language, 0, 2)}</div>${after}</div>`,
    head,
  );

const kept = ({ language, product }: Shop): string[] => [product, said(language, 0), said(language, 5)];

const serviceHeadings = shops.map((shop, i): PageKind => {
  const { language, reviews, service } = shop;
  const opinions = each(4, (n) => `<div><b>N. ${n}</b><p>${spoken(language, 40 + 3 * n, 3)}</p></div>`);
  const terms = `<p>${spoken(language, 70, 3)}</p>`;
  return {
    name: `a product with headings of reviews and delivery (${language})`,
    html: productPage(
      shop,
      i % 2 === 0
        ? `<h2>${reviews}</h2>${opinions}<h2>${service}</h2>${terms}`
        : `<details><summary>${service}</summary>${terms}</details><section><h3>${reviews}</h3>${opinions}</section>`,
    ),
    must: kept(shop),
    mustNot: [reviews, service, said(language, 40), said(language, 49), said(language, 71)],
  };
});

const serviceNames = shops.map((shop): PageKind => {
  const { language, names } = shop;
  return {
    name: `a product with parts that are named after the shop's service (${language})`,
    html: productPage(shop, `<div class="${names[2]}"><p>${spoken(language, 80, 3)}</p></div>`, ''),
    must: kept(shop),
    mustNot: [said(language, 81)],
  };
});

const otherProducts = shops.map((shop): PageKind => {
  const { language, product, names, others, price } = shop;
  const cards = each(
    4,
    (n) =>
      `<div class="${names[1]}"><a href="/p${n}"></a><div>${product} ${n + 7}</div><p>${said(language, n + 60)}</p><div>${price(n + 20)}</div></div>`,
  );
  return {
    name: `a product with cards of other products (${language})`,
    html: productPage(shop, `<h2>${others}</h2><div>${cards}</div>`),
    must: kept(shop),
    mustNot: [`${product} 7`, `${product} 10`, price(21)],
  };
});

const facets = shops.map((shop, i): PageKind => {
  const { language, product, names, price } = shop;
  const list = each(5, (n) => `<li><span>${said(language, n).slice(0, 9)}</span> (${n + 31})</li>`);
  const named = `<div class="${shop.facets}"><div>${shop.service}</div></div>`;
  return {
    name: `a list of products with filters (${language})`,
    html: page(
      `${product} - Shop`,
      `<div class="w"><h1>${product}</h1>${named}<${i % 2 === 0 ? 'ul' : 'ol'} class="q">${list}</${i % 2 === 0 ? 'ul' : 'ol'}><p>${spoken(language, 0, 2)}</p>
      ${each(8, (n) => `<div class="${names[1]}"><a href="/p${n}">${product} ${n + 7}</a><div>${said(language, n + 60)}</div><div>${price(n + 20)}</div></div>`)}</div>`,
    ),
    must: [product, said(language, 0), `${product} 7`, `${product} 14`, said(language, 61), price(21)],
    mustNot: ['(31)', '(35)', shop.service],
  };
});

const lists = shops.map((shop): PageKind => {
  const { language, product, names, price } = shop;
  const cards = each(
    3,
    (n) =>
      `<div class="${names[1]}"><a href="/p${n}">${product} ${n + 7}</a><p>${said(language, n + 60)}</p><div>${price(n + 20)}</div></div>`,
  );
  return {
    name: `a list of declared products with a long introduction (${language})`,
    html: productPage(
      shop,
      cards,
      `<script type="application/ld+json">[{"@type":"Product"},{"@type":"Product"}]</script>`,
    ),
    must: [...kept(shop), `${product} 7`, `${product} 9`, price(21)],
    mustNot: [],
  };
});

export const pagesOfShops: PageKind[] = [
  ...lists,
  ...serviceHeadings,
  ...serviceNames,
  ...otherProducts,
  ...facets,
];
