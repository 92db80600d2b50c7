import { lines, type Phrases } from './phrases.js';

/** Starts of picture credits. */
export const creditLines: Phrases = {
  en: lines`
    (photo|image|picture|illustration|video)s?( credits?)?( by)?\s?[:：/©]
    (photo|image|picture|illustration)s? (by|courtesy of|via|from)\b
    (photo|image|picture) credits?\b
    photograph(y|ed)? by\b
  `,
  de: lines`
    (foto|bild|grafik|illustration|video)s?(quelle|nachweis|rechte)?\s?[:：/©]
    (foto|bild)(quelle|nachweis|rechte)\b
  `,
  fr: lines`
    (crédits?|©) ?(photos?|images?)\b
    photo(graphie)?s?\s?[:：/©]
  `,
  es: lines`
    (foto|imagen|fotografía)s?\s?[:：/©]
  `,
  it: lines`
    (foto|immagine) (di|da)\b
  `,
};
