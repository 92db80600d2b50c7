import type { NameWords } from './name-words.js';
import { lines } from './phrases.js';

/** Names of parts of a product page about the shop or its customers. */
export const namesOfService = {
  service: {
    among: {
      en: lines`
        reviews?
        testimonials?
        (shipping|delivery|returns?|refunds?|warranty|payments?) ?(info|information|policy|box|block|tab|details|content|section|methods?)?
      `,
      de: lines`
        (bewertungen|rezensionen|versand|lieferung|rueckgabe)
      `,
      fr: lines`
        (avis|livraison|retours)
      `,
      es: lines`
        (opiniones|resenas|envios?|devoluciones)
      `,
      it: lines`
        (recensioni|spedizion[ei]|resi)
      `,
      pl: lines`
        (opinie|dostawa|zwroty)
      `,
      ru: lines`
        (otzyvy|dostavka|oplata)
      `,
    },
  },
  facets: {
    among: {
      en: lines`
        facet(s|ed)?( \w+)?
        filters
        filter ?(group|list|box|bar|panel|options?|menu|values?|sidebar)
        refine(ments?)?
        sort ?(by|bar|order|options?)
        layered ?nav
      `,
    },
  },
} satisfies Record<string, NameWords>;
