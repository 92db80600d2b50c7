import { indexLinesIn } from '../../../core/knowledge/text/index-lines.js';
import t from '../../support/t.js';

/** The lines that are left for quotations. */
const facts = (text: string, above = ''): string[] => {
  const skipped = new Set(indexLinesIn(text, above).map(({ start, end }) => text.slice(start, end)));
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !skipped.has(line));
};

t.test('lists of quantities and prices are facts', async (t) => {
  for (const text of [
    'Stock\nHelmets, 40\nLocks, 12',
    'Bells, 3\nHelmets, 40\nLocks, 12\nMirrors, 7\nPumps, 9',
    '- Bells, 3\n- Helmets, 40\n- Locks, 12',
    'item, stock, ordered\nbells, 3, 12\nhelmets, 4, 40\nlocks, 12, 30\npumps, 9, 10',
    'Contents\nScrews, 12\nNuts, 12\nWashers, 24',
    'Contents\n\nScrews ........ 12\nNuts ........ 4',
    'Croquettes ........ 9\nGazpacho ........ 6\nTortilla ........ 7\nWine ........ 4',
    'Deposit ........ 40',
    'Ages\nBeavers, 6-8\nCubs, 8-10\nExplorers, 14-18\nScouts, 10-14',
    'Trains leave at\nAarau, 7, 12, 17\nBern, 8, 13, 18\nChur, 6, 11, 16\nDavos, 5, 10, 15',
  ])
    t.same(facts(text), text.split('\n').filter(Boolean), text);
});

t.test('an index is known by its title', async (t) => {
  for (const title of ['Index', '# Index', '**Sachregister**', 'Índice alfabético', 'Предметный указатель'])
    t.same(facts(`${title}\n\nanchors, 2\nmoorings, 3, 8\n`), [], title);
  t.same(facts('anchors, 2\nmoorings, 3, 8', 'Index'), [], 'the heading above the passage');
  t.same(facts('Index\n=====\nA\nanchors, 2\nawnings, 7\nB\nboats: see ships\nbolts, 9'), [
    '=====',
    'A',
    'B',
    'boats: see ships',
  ]);
  t.same(facts('Register\nTills, 4\nDrawers, 2'), ['Register', 'Tills, 4', 'Drawers, 2'], 'not in order');
});

t.test('an index without its title is known by its order and its pages', async (t) => {
  t.same(facts('anchors, 2\nawnings, 7, 19\nballast, 4\nbolts, 9–11, 30'), []);
  t.same(
    facts(
      'The boat has two winches.\n\nanchors, 2\nawnings, 7, 19\nballast, 4\nbolts, 9\n\nStock\nLocks, 12',
    ),
    ['The boat has two winches.', 'Stock', 'Locks, 12'],
  );
});

t.test('contents are known by their pages in order', async (t) => {
  const pages =
    'Ballast tanks ........ 4\nSails . . . . . . 9\nA long title of a chapter\nabout keels …… 12\nWinches ____ 12';
  t.same(facts(pages), ['A long title of a chapter']);
  t.same(facts('Inhalt\n\nVorwort ........ iv\nSegel ........ 9'), []);
  t.same(facts('Segel ........ 9', 'Inhalt'), []);
});

t.test('a running head is left out anywhere', async (t) => {
  t.same(facts('Boat manual – page 5\nSails are white.\nSeite 3 von 9'), ['Sails are white.']);
});
