import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { foundIn } from '../../support/found.js';
import t from '../../support/t.js';

const isAnswered = (question: string, text: string, headings: string[] = []): boolean => {
  const found = { ...foundIn(question, [{ text, headings }]), support: 'covered' } as const;
  return /\[1\]$/.test([...extractiveAnswer({ question, found, language: 'en', smallTalk: null })].join(''));
};

t.test('a question for a number is answered only with a number, in digits or words', async (t) => {
  for (const [question, answering, other] of [
    ['How old is Ines Falk?', 'Ines Falk is forty.', 'The trainer is Ines Falk.'],
    ['Wie alt ist Jonas Petri?', 'Jonas Petri ist vierzig.', 'Der Leiter heißt Jonas Petri.'],
    ['Quel âge a Mme Lenoir ?', 'Mme Lenoir a trente ans.', 'La bibliothécaire est Mme Lenoir.'],
    ['¿Cuántos años tiene Marta Ríos?', 'Marta Ríos tiene treinta años.', 'La profesora es Marta Ríos.'],
    ['Quanti anni ha Marta Neri?', 'Marta Neri ha trenta anni.', 'La maestra è Marta Neri.'],
    ['Hoe oud is Anna Visser?', 'Anna Visser is dertig.', 'De trainer is Anna Visser.'],
    ['Ile lat ma Anna Nowak?', 'Anna Nowak ma trzydzieści lat.', 'Trenerką jest Anna Nowak.'],
    ['Quantos anos tem Marta Reis?', 'Marta Reis tem trinta anos.', 'A professora é Marta Reis.'],
    ['Сколько лет Анне Волковой?', 'Анне Волковой тридцать лет.', 'Тренера зовут по имени Анне Волковой.'],
    ['Hur gammal är Anna Berg?', 'Anna Berg är trettio.', 'Tränaren heter Anna Berg.'],
    ['Anna Kaya kaç yaşında?', 'Anna Kaya otuz yaşında.', 'Antrenörün adı Anna Kaya.'],
  ] as const) {
    t.ok(isAnswered(question, answering), answering);
    t.notOk(isAnswered(question, other), other);
  }
  t.notOk(isAnswered('Сколько мест в зале?', 'На этот раз места в зале удобные.'));
  t.ok(isAnswered('How old is the mill?', 'The mill was built in 1812.'));
  t.ok(isAnswered('How much are croquettes?', 'Croquettes ........ 9\nGazpacho . . . . . 6'), 'a menu');
  t.ok(isAnswered('How much is Basic?', 'All classes.', ['Basic, 29 a month']), 'the heading has it');
});

t.test('a number of the question, or in the sentence beside, is no answer', async (t) => {
  t.notOk(isAnswered('How many seats does tram 6 have?', 'Take tram 6 to Mill Square.'));
  t.ok(isAnswered('How many seats does tram 6 have?', 'Tram 6 has 40 seats.'));
  const text = 'The boathouse stands on the north bank of the canal. It has a rack for 24 boats.';
  t.notOk(isAnswered('How deep is the canal?', text));
});

t.test('a question for a duration, frequency or time of day is also answered without a number', async (t) => {
  for (const [question, text] of [
    ['How late is the bar open?', 'The bar is open until midnight.'],
    ['How often is the pool cleaned?', 'The pool is cleaned on Mondays and Fridays.'],
    ['How long does the course last?', 'The course lasts the whole weekend.'],
    ['How long do you keep my data?', 'We keep your data until you delete the account.'],
    ['How soon do you reply?', 'We reply on the same working day.'],
    ['Wie lange hat das Café offen?', 'Das Café hat bis Mitternacht offen.'],
    ['¿Cuánto tiempo dura el curso?', 'El curso dura todo el fin de semana.'],
    ['Combien de temps dure le cours ?', 'Le cours dure tout le week-end.'],
    ['Quanto tempo dura il corso?', 'Il corso dura tutto il fine settimana.'],
    ['Hoe lang duurt de cursus?', 'De cursus duurt het hele weekend.'],
    ['Ile trwa kurs?', 'Kurs trwa cały weekend.'],
    ['Quanto tempo dura o curso?', 'O curso dura todo o fim de semana.'],
    ['Сколько длится курс?', 'Курс длится все выходные.'],
    ['Сколько раз чистят бассейн?', 'Бассейн чистят раз в неделю.'],
    ['Hur länge varar kursen?', 'Kursen varar hela helgen.'],
    ['Kurs ne kadar sürer?', 'Kurs bütün hafta sonu sürer.'],
  ] as const)
    t.ok(isAnswered(question, text), question);
});

t.test('a question for a price is answered by a sentence that names the price in words', async (t) => {
  t.ok(isAnswered('How much does it cost to cancel?', 'If you cancel late, the full price is due.'));
  t.notOk(isAnswered('How much water does the pool hold?', 'The pool holds clean water.'));
  t.notOk(isAnswered('How many free places are there?', 'The free places are beside the door.'));
});

t.test('a question for a price is answered only with a price', async (t) => {
  const text = 'The club owns nine singles. The eight was built in 2016 and weighs 96 kg.';
  t.notOk(isAnswered('What does a single cost?', text));
  t.ok(isAnswered('What does a single cost?', 'A single is 20 € a day.'));
  t.ok(isAnswered('What does parking cost?', 'Parking is free.'));
  t.notOk(isAnswered('¿Cuánto cuesta el examen oficial?', 'El examen oficial es el 15 de junio.'));
});

t.test('a question for an e-mail address is answered only with one', async (t) => {
  t.notOk(isAnswered('What is the email of Tomas Brandt?', 'The trainer is Tomas Brandt.'));
  t.ok(isAnswered('What is the email of Tomas Brandt?', 'Write to Tomas Brandt at tomas@club.example.'));
  t.ok(isAnswered('Can I cancel by email?', 'You can cancel by letter, but not by email.'));
});

t.test('other questions are answered without a number', async (t) => {
  t.ok(isAnswered('Sind Helme im Preis enthalten?', 'Helme sind im Preis enthalten.'));
  t.ok(isAnswered('Is breakfast included in the price?', 'Breakfast is included in the price.'));
  t.ok(
    isAnswered('Hvor gammel er Anna Dahl?', 'Treneren heter Anna Dahl.'),
    'a language without a list of numbers',
  );
});
