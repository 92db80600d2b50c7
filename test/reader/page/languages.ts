/** Made-up sentences of several languages. `#` is replaced by a number, so that each use is distinct. */
const sentences = {
  en: [
    'The harbour master counts # boats in the evening before the gate to the pier is closed.',
    'Nobody in the valley has repaired as many clocks as the widow of the miller, # of them so far.',
    'When the ferry is late, # children sing on the stairs, and the baker hands out warm rolls.',
  ],
  de: [
    'Der Hafenmeister zählt am Abend # Boote, bevor das Tor zur Mole geschlossen wird.',
    'Niemand im Tal hat so viele Uhren repariert wie die Witwe des Müllers, bisher sind es #.',
    'Wenn die Fähre sich verspätet, singen # Kinder auf der Treppe, und der Bäcker verteilt Brötchen.',
  ],
  fr: [
    'Le capitaine du port compte # bateaux chaque soir avant de fermer la porte de la jetée.',
    'Personne dans la vallée n’a réparé autant d’horloges que la veuve du meunier, # à ce jour.',
    'Quand le bac est en retard, # enfants chantent dans l’escalier et le boulanger offre du pain.',
  ],
  es: [
    'El capitán del puerto cuenta # barcas al anochecer antes de cerrar la puerta del muelle.',
    'Nadie en el valle ha reparado tantos relojes como la viuda del molinero, ya van #.',
    'Cuando el barco se retrasa, # niños cantan en la escalera y el panadero reparte bollos.',
  ],
  pl: [
    'Kapitan portu liczy wieczorem # łodzi, zanim zamknie bramę prowadzącą na molo.',
    'Nikt w dolinie nie naprawił tylu zegarów co wdowa po młynarzu, dotąd było ich #.',
    'Kiedy prom się spóźnia, # dzieci śpiewa na schodach, a piekarz rozdaje ciepłe bułki.',
  ],
  ru: [
    'Смотритель гавани считает по вечерам # лодок, прежде чем закрыть ворота на причал.',
    'Никто в долине не починил столько часов, сколько вдова мельника, уже #.',
    'Когда паром опаздывает, # детей поют на лестнице, а пекарь раздаёт тёплые булки.',
  ],
  ja: [
    '港の管理人は夕方になると桟橋の門を閉める前に#隻の船を一隻ずつ数えて帳面に書きます。',
    '谷では粉屋の未亡人ほど多くの時計を直した人はいません。これまでに#個を直したそうです。',
    '渡し船が遅れると#人の子どもたちが階段で歌い、パン屋は温かいパンをみんなに配ります。',
  ],
} as const satisfies Record<string, readonly string[]>;

export type Language = keyof typeof sentences;
export const languages = Object.keys(sentences) as Language[];

/** Returns the same sentence for the same number. */
export const said = (language: Language, n: number): string =>
  (sentences[language][n % 3] ?? '').replace('#', String(n + 11));

/** `count` sentences from number `from` on as one paragraph. */
export const spoken = (language: Language, from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => said(language, from + i)).join(' ');

/** `count` paragraphs of three sentences, wrapped in p elements. */
export const spokenParagraphs = (language: Language, from: number, count: number): string =>
  Array.from({ length: count }, (_, i) => `<p>${spoken(language, from + 3 * i, 3)}</p>`).join('\n');
