import type { Attributes } from './attributes.js';

/**
 * What class names, ids and roles say about an element. Words, not sites: the vocabulary that page authors and
 * content systems share. Matching is on whole words after splitting at hyphens, underscores and humps.
 */
export const Hint = {
  navigation: 1,
  footer: 2,
  sidebar: 4,
  cookie: 8,
  share: 16,
  related: 32,
  newsletter: 64,
  comments: 128,
  advert: 256,
  popup: 512,
  form: 1024,
  meta: 2048,
  author: 4096,
  contents: 8192,
  unseen: 16384,
  articleBody: 32768,
  lead: 65536,
  note: 131072,
  gutter: 262144,
  editLink: 524288,
  mainish: 1048576,
  header: 2097152,
  column: 4194304,
  disclosure: 8388608,
  teasers: 16777216,
} as const;

const vocabulary: readonly (readonly [number, RegExp])[] = [
  [
    Hint.navigation,
    / (?:(?:\w*nav(?:bar|s|igation|igator|box|i)?|sub ?nav|site ?nav|main ?nav|top ?nav)|(?:\w{0,8}menus?|menu ?bar|sub ?menu|menubar)|bread ?crumbs?|breadcrumbs?\w*|crumbs?|pagination|paginator|pager|paging|page ?numbers?|page ?links|prev ?next|next ?prev|skip ?links?|skip ?to|skip|top ?bar|header ?top|top ?header|toolbar|tool ?bar|tabs ?nav|nav ?tabs|language ?(?:switcher|selector|chooser)|lang ?switch\w*|mega ?menu|navigationlinks|sitemap|site ?map|site ?search|post ?nav\w*|jump ?to|back ?to ?top|backtotop|scroll ?top) /,
  ],
  [
    Hint.footer,
    / (?:\w*footer|foot|colophon|bottom ?bar|imprint|copyrights?|legal ?(?:links?|notice)|site ?info|disclaimer|footer\w{0,12}) /,
  ],
  [
    Hint.sidebar,
    / (?:\w*side ?bars?\w*|(?:right|left) ?rail|side ?(?:col(?:umn)?|panel|content|nav|box|block)|secondary ?(?:content|column|col|sidebar|area)|blogroll|tag ?cloud|tagcloud|complementary|marginal\w*) |^ (?:side|rail|secondary|tertiary|aside|archives?|calendar) $/,
  ],
  [
    Hint.column,
    / (?:right ?col(?:umn)?|left ?col(?:umn)?|col ?right|col ?left|third ?col(?:umn)?|extra|supplement\w*) |^ (?:widgets?|widget ?area|box|module|portlet|block) $/,
  ],
  [
    Hint.cookie,
    / (?:\w*cookies?\w*|consent|gdpr|ccpa|one ?trust|truste|cmp|cmplz|privacy ?(?:banner|notice|bar|popup)|eu ?law|dsgvo|rgpd) /,
  ],
  [
    Hint.share,
    / (?:shar(?:e|es|ing|er|rs)|share\w{0,8}|shared ?addy|sharedaddy|social\w{0,10}|socials?|shariff|add ?this|addtoany|a2a|sns|follow(?: us)?|follow ?links?|like ?button|likes|tweet ?(?:button|this)|retweet|facebook|twitter ?(?:share|button)|whats ?app|pinterest|bookmark(?:s|let)?s?|jp relatedposts|jp post flair|feedback|rating(?:s)?|votes?|voting|reactions?|claps?|print ?(?:link|button|page)?|email ?(?:this|link)|tools|actions?|buttons?|btn ?group|permalink|wpcnt|wpa) /,
  ],
  [
    Hint.related,
    / (?:related\w*|recommend\w*|recirc\w*|more ?(?:stories|articles|news|posts|from|on|like|links|in)|also ?(?:like|read)|you ?may|read ?(?:more|next|also)|see ?also|up ?next|next ?up|most ?(?:read|popular|viewed|shared|commented)|recent ?(?:posts?|articles|comments|news)|outbrain|taboola|zergnet|further ?reading|similar\w*|suggest(?:ed|ions?)|cross ?(?:sell|links?)|upsells?|other ?(?:posts|articles|news|stories)|rel ?(?:posts|articles)|yarpp\w*|crp ?related|wp ?rp|zemanta\w*|entry ?unrelated|read ?on|continue|in ?brief|top ?ten|related ?links|trackbacks?|pingbacks?|weitere) /,
  ],
  [
    Hint.teasers,
    / (?:teasers?|promo(?:s|tion|tions|ted|box)?|popular\w*|trending|latest ?(?:news|posts|articles|stories)|carousel|slider|slick|swiper|ticker|top ?(?:stories|news|posts)|link ?list|linklist|collection ?list) /,
  ],
  [
    Hint.newsletter,
    / (?:news ?letters?\w*|subscri(?:be|ption)s?\w*|sign ?up|mailing ?list|mailchimp|mc ?embed\w*|donat(?:e|ion|ions)|regwall|optin|opt ?in|lead ?magnet|call ?to ?action|cta) /,
  ],
  [
    Hint.comments,
    / (?:comments?|comment ?(?:list|s|section|area|form|wrapper|thread|respond|template|body|content|reply|author|meta)|commentlist|commentarea|respond|reply ?(?:title|form)|disqus|disqus ?thread|fb ?comments|livefyre|commento|talkback|kommentare?|comentarios?|commentaires?|discussion ?link|comments\w{0,10}|leave ?(?:a ?)?(?:comment|reply)|guest ?book) /,
  ],
  [
    Hint.advert,
    / (?:ads?|ad ?(?:s|box|slot|unit|wrapper|container|banner|block|zone|space|label|top|bottom|holder)|advert\w*|adsense|adsbygoogle|google ?ads?|dfp|gpt|banners?|sponsor\w*|werbung|anzeigen?|publicit[ey]|publicidad|pub|skyscraper|commercials?|affiliate\w*|mpu|leaderboard|native ?ad|promoted) /,
  ],
  [
    Hint.popup,
    / (?:pop ?ups?|popup\w*|modals?|overlays?|light ?box|tool ?tips?|drop ?downs?|off ?canvas|offcanvas|drawer|toast|snackbar|interstitial|dialog|flyout|notification|alert ?bar|announcement ?bar|notice ?bar|app ?banner|smart ?banner|no ?js|noscript|outdated ?browser|browse ?happy|browsehappy|browser ?upgrade|adblock\w*|accessibility ?(?:links|menu)) /,
  ],
  [
    Hint.form,
    / (?:search\w{0,6}|search ?(?:form|box|bar|field|results? ?form)|log ?in|login\w{0,6}|sign ?in|register|registration|forms?|contact ?form|wpcf7|gform|captcha|poll|survey|quiz) /,
  ],
  [
    Hint.meta,
    / (?:meta|meta ?(?:data|info|box|bar)|metadata|(?:post|entry|article|blog|item) ?(?:meta|info|details|data|date|tags?|categor(?:y|ies)|cats?|utility|footer|header ?meta|credits?|stats|time|author|byline)|postmetadata|postmeta|postinfo|date ?line|dateline|datetime|(?:post|entry|article|news|publish(?:ed)?|publication|creation|blog) ?(?:date|time)|date ?(?:published|posted|created|modified|header)|time ?stamp|timestamp|posted ?(?:on|by|in)|published|pub ?date|updated|modified|last ?(?:modified|updated|edited)|byline\w*|by ?line|tags?|tag ?(?:list|links|s)|taglist|taxonomy|keywords?|categor(?:y|ies)|cat ?links|catlinks|filed ?under|post ?labels|read(?:ing)? ?time|eyebrow|kicker|(?:post|page|article|entry|total) ?views|view ?counts?|word ?count|hits|docinfo|page ?info|page ?actions) |^ views $/,
  ],
  [
    Hint.author,
    / (?:author ?(?:bio|box|info|card|description|details|profile|about|block|area|wrap\w*|s|meta|name)|about ?(?:the ?)?author|author|authors|bio|biography ?box|contributor|profile ?card|vcard|post ?author|entry ?author|writer|byline ?bio|post ?profile|user ?(?:info|details|card|title)|userinfo|poster ?(?:info|details)|(?<! (?:member|type|method|function|class|api|code|post) )signatures?|(?:post|user|forum|message) ?sig(?:nature)?|avatar|abh ?box|saboxplugin\w*) /,
  ],
  [
    Hint.contents,
    / (?:toc|tocs|table ?of ?contents|ez toc|lwptoc|toc ?(?:container|list|wrapper|content)|on ?this ?page|page ?toc|local ?toc|contents ?list|inhaltsverzeichnis|anchor ?links|index ?list) /,
  ],
  [
    Hint.unseen,
    / (?:sr only|screen ?reader(?: text| only)?|screenreader\w*|visually ?hidden|visuallyhidden|element ?(?:hidden|invisible)|assistive ?text|hide ?text|off ?screen|print ?only|only ?print|noprint|no ?print|uk hidden|accessibly hidden|a11y ?hidden) |^ (?:hidden|hide|invisible) $/,
  ],
  [
    Hint.articleBody,
    / (?:(?:article|post|entry|story|news|blog|blogpost|blog ?post|field ?name|page|single|content|main|body|text|document|doc|recipe|product|event|question|answer|topic|thread|message|press|node|detail|lesson|case) ?(?:body|content|contents|text|copy|inner ?content|full|main|description|entry)|(?:article|post|entry|story|news)(?:body|content|text)|h ?entry|prose|rte|rich ?text|richtext|wysiwyg|body ?(?:text|copy|content)|bodytext|fliesstext|full ?text|fulltext|mainbody|maincontent|main ?text|texto?|contenu|contenido|inhalt|markdown|rst content|parser output|cuerpo|artikeltext|documentwrapper|ce ?bodytext) |^ (?:article|hentry|entry|story|post|artikel|beitrag|nota|noticia) $/,
  ],
  [
    Hint.lead,
    / (?:lead|lede|leads|intro(?:duction)?|intro ?text|stand ?first|standfirst|dek|deck|sub ?title|subtitle|sub ?head(?:ing|line)?|summary|abstract|excerpt|teaser ?text|chapo|chapeau|vorspann|anrisstext|einleitung|entradilla|bajada|copete|perex|headline|strapline|ingress|preamble|resumen?|sommaire) /,
  ],
  [
    Hint.note,
    / (?:notes?|admonition\w*|callouts?|tips?|hints?|warnings?|cautions?|important|info ?box|infobox|pull ?quote|pullquote|quote|footnotes?|sidenotes?|example|alert|danger|notice) /,
  ],
  [
    Hint.gutter,
    / (?:gutter|line ?numbers?(?: rows)?|linenos?|linenodiv|lnum|hljs ln numbers|blob num|code ?lines? ?no|rouge gutter|copy ?(?:button|btn|code)|clipboard ?\w*) |^ copy $/,
  ],
  [
    Hint.disclosure,
    / (?:accordions?\w*|collaps\w*|tab ?panels?|tab ?panes?|tab ?contents?|tabpanel|faqs?|answers?|toggle ?content|details?|expand\w*|panel ?(?:body|content|collapse)|region) /,
  ],
  [
    Hint.editLink,
    / (?:edit ?section|editsection|mw editsection|header ?link|headerlink|heading ?anchor|header ?anchor|anchor ?link|anchorjs link|hash ?link|anchor|octicon|permalink|perma ?link|direct ?link|edit ?(?:link|page|this)|view ?source|reference ?marker) /,
  ],
  [
    Hint.mainish,
    / (?:main|content|contents|primary|main ?(?:content|column|col|area|container|wrap(?:per)?)|content ?(?:main|area|wrap(?:per)?|container|column|col|inner)|maincol|maincontent|centercol|center ?col(?:umn)?|middle|page|wrapper|single|post|posts|article\w*|blog|story|entry|topic|thread|container) /,
  ],
  [
    Hint.header,
    /^ (?:(?:site|page|main|top|global|web) ?)?(?:header|masthead|kopf|cabecera|banner)(?: (?:wrapper|wrap|container|inner|outer|area))? $/,
  ],
];

const MAX_NAME_CHARS = 300;
/** Name parts that tell of a state or of the page's taxonomy, not of the element's own role. */
const noise =
  /^(?:has|no|with|without|is|not|js|tag|category|cat|format|theme|skin|template|term|taxonomy|author|status|type|postid|parent|page|u|w|t|wf|m|p|fa|icon|col)-./i;
/** "content-with-sidebar" names the content, not the sidebar. */
const layoutWords = / (?:with|has|have|no|without|hide|show) \p{L}+(?= )/gu;
const seen = new Map<string, number>();
const MAX_SEEN = 20_000;

/** Bit set of Hint values for an element's attributes. */
export function hintsOf(attributes: Attributes): number {
  const className = attributes.class ?? '';
  const id = attributes.id ?? '';
  // what opens a part is a heading of it rather than one more button
  const opens = attributes.role === 'button' && attributes['aria-expanded'] !== undefined;
  const role = opens ? '' : (attributes.role ?? '');
  if (className === '' && id === '' && role === '') return 0;
  const classes = className.slice(0, MAX_NAME_CHARS);
  const raw = id === '' && role === '' ? classes : `${classes} ${id.slice(0, 80)} ${role.slice(0, 20)}`;
  const known = seen.get(raw);
  if (known !== undefined) return known;
  const hints = judge(raw);
  if (seen.size >= MAX_SEEN) seen.clear();
  // Copied: a piece of a page's source would keep all of it in memory for as long as it is remembered.
  seen.set(Buffer.from(raw, 'utf16le').toString('utf16le'), hints);
  return hints;
}

function judge(raw: string): number {
  let hints = 0;
  const isShownOnWideScreens =
    /\b(?:sm|md|lg|xl|2xl):(?:block|flex|grid|inline|contents|table)|\bd-(?:sm|md|lg|xl)-(?:block|flex|grid|inline)/.test(
      raw,
    );
  for (const name of raw.split(/\s+/)) {
    if (name === '' || noise.test(name) || /[:[\]/]/.test(name)) continue;
    const words = ` ${name
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/[^\p{L}\p{N}]+|(?<=\p{L})\d+/gu, ' ')
      .toLowerCase()
      .trim()} `;
    const own = words.replace(layoutWords, ' ');
    for (const [hint, pattern] of vocabulary) if (pattern.test(own)) hints |= hint;
  }
  return isShownOnWideScreens ? hints & ~Hint.unseen : hints;
}
