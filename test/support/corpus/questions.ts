/** A question about the corpus's pages and files, written for this project. */
export interface CorpusQuestion {
  question: string;
  /** Each group must be met by one of its alternatives, regardless of case and white space. Empty: no source answers. */
  answer: string[][];
  /** Folder and name of the page or file in the corpus; '' if no source answers. */
  source: string;
}

/** Sources of one agent, with questions. */
export interface CorpusAgent {
  name: string;
  language: string;
  /** `folder/name`, or a folder with all its readable files. */
  sources: string[];
  questions: CorpusQuestion[];
}

const asked = (source: string, question: string, ...answer: (string | string[])[]): CorpusQuestion => ({
  question,
  answer: answer.map((group) => (typeof group === 'string' ? [group] : group)),
  source,
});
const unanswerable = (question: string): CorpusQuestion => asked('', question);

export const corpusAgents: CorpusAgent[] = [
  {
    name: 'English pages',
    language: 'en',
    sources: [
      'html/002',
      'html/bbc-1',
      'html/ehow-1',
      'html/gitlab-blog',
      'html/herald-sun-1',
      'html/ietf-1',
      'html/keep-tabular-data',
      'html/lwn-1',
      'html/medium-2',
      'html/mercurial',
      'html/mozilla-1',
      'html/v8-blog',
    ],
    questions: [
      asked('html/lwn-1', 'When was LibreOffice 4.3.5 released?', 'December 2014'),
      asked('html/lwn-1', 'How many changesets did Caolán McNamara commit?', '4307'),
      asked('html/lwn-1', 'What share of the changesets came from Collabora?', '29.5%'),
      asked('html/lwn-1', 'When was Arduino LLC incorporated?', '2008'),
      asked('html/lwn-1', 'Who became CEO of Smart Projects SRL?', 'Musto'),
      asked('html/v8-blog', 'How do I build a standalone Wasm file with emcc?', '-o add.wasm'),
      asked('html/v8-blog', 'What are WASI APIs for?', 'on the server'),
      asked('html/ehow-1', 'What do I need for a terrarium?', 'foam', 'moss', 'tweezers'),
      asked('html/ehow-1', 'How do I attach the moss?', 'floral pins'),
      asked('html/002', 'Which guard makes a Headers object read-only?', 'immutable'),
      asked(
        'html/002',
        'How do I test whether headers contain a Content-Type?',
        'headers.has("Content-Type")',
      ),
      asked('html/002', 'What happens in same-origin mode if a request goes to another origin?', 'an error'),
      asked('html/ietf-1', 'Which status code is sent if the account is over its storage quota?', '507'),
      asked('html/ietf-1', 'response code for too frequent requests', '429'),
      asked('html/ietf-1', 'When does the Internet-Draft expire?', ['15 December 2014', '18 June 2015']),
      asked('html/mercurial', 'How do I make a repository non-publishing?', [
        'publish = false',
        'phases.publish',
      ]),
      asked('html/gitlab-blog', 'How many respondents say that onboarding takes more than a month?', '70%'),
      asked('html/gitlab-blog', 'How many AI users want to consolidate their toolchain?', '74%'),
      asked('html/keep-tabular-data', 'What replaces the water frequency slider?', 'scale', 'coverage'),
      asked('html/keep-tabular-data', 'What is the new range of the scale sliders?', '600%'),
      asked('html/bbc-1', "What was Obama's biggest frustration?", 'gun'),
      asked('html/herald-sun-1', 'How long must metadata be stored?', 'two years'),
      unanswerable('How much does an Arduino Uno cost?'),
      unanswerable('Who won the football world cup in Brazil?'),
      unanswerable('Which wine goes with grilled salmon?'),
    ],
  },
  {
    name: 'English files',
    language: 'en',
    sources: ['pdf', 'docx', 'xlsx', 'pptx'],
    questions: [
      asked('pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf', 'What is the total of the receipt?', '821.14'),
      asked('pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf', 'How many points were earned?', '821'),
      asked('pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf', 'Which payment method was used?', '4782'),
      asked('pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf', 'How much was the screen cleaning kit?', [
        '38.97',
        '12.99',
      ]),
      asked('pdf/RECEIPT-2024-TXN-98765_retail_purchase.pdf', 'What is the return policy?', '30 days'),
      asked('pdf/SPARSE-2024-INV-1234_borderless_table.pdf', 'unit cost of SKU-7728', '$15.75'),
      asked('pdf/SPARSE-2024-INV-1234_borderless_table.pdf', 'What is the overall accuracy?', '97.2%'),
      asked(
        'pdf/SPARSE-2024-INV-1234_borderless_table.pdf',
        'Which SKU drives the inventory variance?',
        'SKU-4563',
      ),
      asked('xlsx/chart-sheet.xlsx', 'How many bears were there in April?', '116'),
      asked('pptx/officeparser-test.pptx', 'How many pencils are needed?', 'Pencils', '2'),
      asked('pptx/officeparser-test.pptx', 'graduating students of Oak Institute', '210'),
      asked('docx/delins.docx', 'When is the Solr Boot Camp?', 'March 24th'),
      unanswerable('What is the phone number of Emily Rodriguez?'),
      unanswerable('How do I renew a passport?'),
    ],
  },
  {
    name: 'German',
    language: 'de',
    sources: ['html/heise', 'pdf/GeoTopo-komprimiert.pdf'],
    questions: [
      asked('html/heise', 'Was kostet 1Password?', '50 Euro'),
      asked('html/heise', 'Welche Firmen setzen TOTP ein?', 'Evernote'),
      asked('pdf/GeoTopo-komprimiert.pdf', 'Welche Vorkenntnisse sind erforderlich?', 'Quantoren'),
      unanswerable('Wann öffnet das Schwimmbad?'),
    ],
  },
  {
    name: 'French',
    language: 'fr',
    sources: ['html/lemonde-1'],
    questions: [
      asked('html/lemonde-1', 'Combien de députés UMP ont voté contre ?', '35 UMP'),
      asked('html/lemonde-1', 'Combien d’abstentions y a-t-il eu ?', '42'),
      unanswerable('Quel est le prix du pain ?'),
    ],
  },
  {
    name: 'Spanish',
    language: 'es',
    sources: ['html/la-nacion'],
    questions: [
      asked('html/la-nacion', '¿Dónde fue capturado Ocalan?', 'Kenia'),
      asked('html/la-nacion', '¿En qué isla está la cárcel?', 'Imrali'),
      unanswerable('¿A qué hora cierra el museo?'),
    ],
  },
  {
    name: 'Chinese',
    language: 'zh-cn',
    sources: ['html/gmw'],
    questions: [
      asked('html/gmw', '谁是第一个在月球上喝酒的人？', '奥尔德林'),
      unanswerable('怎么申请护照？'),
    ],
  },
];
