/*
 * Endings of words with the same stem, by language: a word with one ending of a group also matches with the others
 * ("dog", "dogs"; "charge", "charging"). Terms are truncated to six letters, which joins the forms of longer words.
 * `-` is the empty ending.
 */
export const wordEndings: Readonly<Record<string, readonly string[]>> = {
  bg: ['- а и ът ят ов те та то ове', 'а и ата ите о', 'я и ята ите'],
  bs: ['- a u om e i ima ama ovi', 'a e i u o om ama', 'ti m š mo te'],
  ca: ['- s es', 'a es o os', 'ar a en o at', 'ir eix it'],
  cs: ['- a u em e y ů ům ech i ové', 'a y u ou e o', 'e i í em', 'ý á é ého ou'],
  da: ['- e en er et r s erne ene t', 'e er en ede te', 'e er et ene'],
  de: ['- e en er es s n em ern st t', 'e en et st t te', 'en er e', 'el eln', 'ung ungen'],
  el: ['ος ου ο οι ων ους', 'α ας ες ων', 'η ης εις', 'ο ου α ων', 'ω εις ει ουν'],
  en: ['- s es ed ing d', 'e es ed ing', 'y ies ied', 'f ves', 'fe ves'],
  es: ['- s es', 'o a os as', 'ar a an o as ado', 'er e en o es ido', 'ir e en o es ido', 'z ces'],
  et: ['- d i id e ga s', 'a ad as ast', 'e ed et es'],
  fi: ['- n a ä ssa t i in ta tä', 'i en ia iä eja', 'a an at oja aa', 'ä än ät ää'],
  fr: ['- s e es x', 'er e é ée és ez ent', 'al aux', 'eau eaux', 're t s ent', 'ir it is ent'],
  gl: ['- s es', 'o a os as', 'ar a an o', 'er e en', 'n ns'],
  hr: ['- a u om e i ima ama ovi', 'a e i u o om ama', 'ti m š mo te'],
  hu: ['- t k ok ek ak on en ot et at ban ben ba be ra re', 'a át ák'],
  it: ['o i', 'a e', 'e i', 'o a i e', 'are a ano o ato', 'ere e ono o', 'ca che', 'co chi', 'ga ghe'],
  nl: ['- e en s t er je', 'en t', 'e en s'],
  no: ['- e en er et r s ene t', 'e er en et te', 'e er et ene'],
  pl: ['- a u em e y i ów om ami ach owi', 'a y ę ą ie o', 'ć m sz my cie', 'y a e ego ą'],
  pt: ['- s es', 'o a os as', 'ar a am o', 'er e em o', 'ir e em', 'm ns', 'l is', 'ão ões'],
  ro: ['- i e ul uri a le ele', 'a e ei', 'ă e a i', 'u ui'],
  ru: [
    '- а у ом е ы и ов ам ами ах',
    'а ы у ой е о и ам',
    'ь я и ю ем ей ям',
    'я и ю ей е',
    'ть т ет ит ют ут ят л ла',
    'ый ая ое ые ого ой',
  ],
  sk: ['- a u om e y ov i mi', 'a y u ou e o', 'ý á é ého ou'],
  sl: ['- a u om e i ov', 'a e i o u'],
  sr: ['- a u om e i ima ama ovi', 'a e i u o om ama', '- а у ом е и има ама ови', 'а е и у о ом ама'],
  sv: ['- e en er et ar or n r s t a', 'a ar at ade', 'a or an', 'e ar en'],
  tr: ['- i ı u ü da de ta te a e lar ler in ın un ün'],
  uk: ['- а у ом і и ів ам ами ах', 'а и у ою і о', 'я і ю ею', 'ти є ить ють уть ив', 'ий а е і ого'],
};
