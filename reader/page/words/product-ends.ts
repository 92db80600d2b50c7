import { lines, type Phrases } from './phrases.js';

/** Headings of parts of a product page that do not describe the product: reviews, delivery, returns. */
export const productEnds: Phrases = {
  en: lines`
    (customer |user |product |verified |guest )?(ratings?( (&|and) reviews?)?|reviews?)
    (shipping|delivery|returns?|refunds?|payments?)( (policy|info(rmation)?|details))?
    (shipping|delivery|returns?|payments?)(,? ?(&|and|,) ?(shipping|delivery|returns?|refunds?|exchanges|payments?))+
    (goes|pairs) well with
    shop the look
  `,
  de: lines`
    (kunden|produkt)?(bewertungen|rezensionen|meinungen)
    (versand|lieferung|rückgabe|zahlung)( ?(&|und|,) ?(versand|lieferung|rückgabe|rückversand|retouren?|zahlung))*
    (dazu passt|passende produkte|passendes zubehör)
  `,
  fr: lines`
    avis( (clients?|vérifiés|des clients))?
    (livraisons?|retours?|paiement)( ?(&|et|,) ?(livraisons?|retours?|échanges|paiement))*
  `,
  es: lines`
    (opiniones|reseñas|valoraciones)( de (los )?clientes)?
    (envíos?|devoluciones|pago)( ?(&|y|,) ?(envíos?|devoluciones|cambios|pago))*
  `,
  it: lines`
    recensioni( dei clienti)?
    (spedizion[ei]|resi|consegna)( ?(&|e|,) ?(spedizion[ei]|resi|consegna))*
  `,
  pt: lines`
    (avaliações|opiniões)( (dos|de) clientes)?
    (envio|entrega|devoluções|trocas)( ?(&|e|,) ?(envio|entrega|devoluções|trocas))*
  `,
  nl: lines`
    (klant)?(beoordelingen|reviews|ervaringen)
    (verzending|levering|bezorging|retourneren)( ?(&|en|,) ?(verzending|levering|bezorging|retourneren))*
  `,
  pl: lines`
    opinie( klientów| o produkcie)?
    (dostawa|wysyłka|zwroty|płatność)( ?(&|i|,) ?(dostawa|wysyłka|zwroty|płatność))*
  `,
  sv: lines`
    (kund)?(recensioner|omdömen)
    (frakt|leverans|returer)( ?(&|och|,) ?(frakt|leverans|returer))*
  `,
  tr: lines`
    (müşteri |ürün )?(yorumları|değerlendirmeleri|yorumlar)
    (kargo|teslimat|iade)( ?(&|ve|,) ?(kargo|teslimat|iade))*
  `,
  ru: lines`
    отзывы( покупателей| о товаре)?
    (доставка|оплата|возврат)( ?(&|и|,) ?(доставка|оплата|возврат))*
  `,
  ja: lines`
    (カスタマー|お客様の)?レビュー
    (配送|返品|送料)([・と](配送|返品|交換|送料))?(について)?
  `,
  zh: lines`
    (用户|商品|客户)?(评价|评论)
    (配送|退换货?|售后)(说明|政策|服务)?
  `,
};
