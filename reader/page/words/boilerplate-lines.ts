import { lines, type Phrases } from './phrases.js';

/** Starts of short blocks that content management systems put around every text. The whole block is dropped. */
export const boilerplateLines: Phrases = {
  en: lines`
    (this page was )?last (modified|updated|edited|reviewed|changed)( on| at)?\b.{0,12}\d
    (first |originally )?(published|posted|updated|modified)( on| at)?\s?:? (\p{L}+,? )?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\d{1,2}(st|nd|rd|th)? \p{L}{3,9}\.?,? \d{4}|\p{L}{3,9}\.? \d{1,2}(st|nd|rd|th)?,? \d{4}|\d+ \p{L}+ ago|today|yesterday)\b.{0,30}$
    (additional )?(reporting|editing) by [^.!?]{4,200}$
    your e-?mail address will not be published
    required fields are marked
    save my name, email
    notify me of (follow|new)
    this site uses akismet
    you must be (logged in|registered) to (post|leave|reply)
    (log in|sign in|register|login) (or (register|sign up) )?to (post|leave|reply|comment|continue)
    comments (are|is|on this \p{L}+ are) (now )?(closed|disabled|off|moderated)
    commenting (is|has been) (closed|disabled)
    both comments and (pings|trackbacks)
    responses are currently closed
    you can (follow|skip|leave) (any|to the end|a response)
    bookmark the permalink
    this entry was posted (in|on|by|under)
    posted (in|under|by)\b
    filed (under|in)\b
    tagged (with|as|under)?\b
    (tags?|categor(y|ies)|labels|topics|filed under|keywords?)\s?:
    trackback (url|uri)
    (please )?share (this|on|via|with|article|story)\b
    click to (share|print|email)
    (follow|like|join|find) us on\b
    subscribe (to|now|today|here|via)\b
    sign up (for|to|here|now)\b
    get (the latest|our newsletter|updates)\b.{0,60}(inbox|email|newsletter)
    advertisement
    sponsored (by|content)
    skip to\b
    jump to (navigation|content)
    back to (top|the top|home)
    return to top
    previous (post|article|entry|story|topic)
    next (post|article|entry|story|topic)
    older (posts|entries|comments)
    newer (posts|entries|comments)
    continue reading
    read (more|full|the full|the rest)\b.{0,50}$
    (all rights reserved|copyright (©|\(c\)|\d{4})|©\s?(copyright|\d{4}))
    powered by\b
    theme (by|:)
    designed by
    (we|this (web)?site|our (web)?site) uses? cookies
    by (continuing|using) (to (use|browse) )?(this|our|the) (web)?site
    enable javascript
    please enable javascript
    javascript (is|must be)
    print (this|page)\b
    email this\b
    report (this|abuse|ad)
    (was|is) this (page|article|answer|information|content|section|review|post|topic|guide) (helpful|useful)
    was this helpful
    did (you find )?this (page|article|answer) (helpful|useful|help)
    last edited by\b
    you have (\d+|\p{L}+) (free )?articles? (left|remaining)
    this (article|story|content) is (only )?(available )?(to|for) (our )?(subscribers|members)
    already (a subscriber|have an account|a member)
    this (post|article|page|site|website) (may |might )?contains? affiliate links
    as an? \p{L}+ associate,? i earn
    (\d+|\p{L}+)[- ]min(ute)?s?[- ]read$
    (estimated )?reading time\s?:
    not the answer you['’]re looking for
    jump to (recipe|section|video)
    you (must|need to) (log ?in|sign ?in|be (logged|signed) in|register)
    please (log ?in|sign ?in|register) to
    (read (also|next|more)|also read|related( \p{L}+)?|recommended|don['’]t miss)\s?[:：]
  `,
  de: lines`
    (zuletzt|letztmals) (aktualisiert|geändert|bearbeitet)\b.{0,12}\d
    letzte (änderung|aktualisierung|bearbeitung)\b.{0,12}\d
    (war|fanden sie) (dieser|diesen|diese) (artikel|beitrag|seite|antwort) hilfreich
    (lesen sie auch|mehr zum thema|auch interessant)\s?[:：]
    dieser artikel ist (nur )?für abonnent
    deine e-?mail-?adresse wird nicht
    ihre e-?mail-?adresse wird nicht
    erforderliche felder sind
    diese website (verwendet|benutzt|nutzt) (cookies|akismet)
    du musst (angemeldet|eingeloggt)
    kommentare (sind|wurden) (geschlossen|deaktiviert)
    die kommentarfunktion
    dieser (beitrag|eintrag|artikel) wurde (am|unter|von|veröffentlicht)
    veröffentlicht (in|unter|am|von)\b
    (kategorien?|schlagw(ö|o)rte?r?|schlagworte|stichworte|themen|rubrik)\s?:
    verschlagwortet mit
    (vorheriger|nächster|älterer|neuerer) (beitrag|artikel|eintrag)
    (ältere|neuere) beiträge
    weiterlesen\b
    alle rechte vorbehalten
    nach oben$
    zum (inhalt|seitenanfang)
    zurück (zur|zum|nach oben)
    artikel (drucken|teilen|versenden|merken)
    (auf|bei|per) (facebook|twitter|whatsapp|e-?mail|pinterest|linkedin|xing) (teilen|empfehlen)
    jetzt (abonnieren|anmelden|teilen)
    newsletter (abonnieren|anmelden|bestellen)
    bildnachweis
  `,
  fr: lines`
    (dernière (mise à jour|modification)|mis à jour le)\b.{0,12}\d
    article réservé aux
    (à )?lire (aussi|également)\s?[:：]
    cet article vous a
    votre adresse (e-?mail|de messagerie) ne sera
    les champs obligatoires
    ce site utilise (akismet|des cookies)
    (publié|posté|classé|paru) (dans|par|le|sous)\b
    cette entrée a été publiée
    ce contenu a été publié
    (catégories?|étiquettes?|mots[- ]clés|tags|rubriques?)\s?:
    lire la suite
    article (précédent|suivant)
    tous droits réservés
    partager (sur|cet|cette|l[’'])
    retour (en haut|à l)
    haut de page
    abonnez-vous
    inscrivez-vous
  `,
  es: lines`
    última (actualización|modificación)\b.{0,12}\d
    (lee|leer) también\s?[:：]
    te puede interesar\s?[:：]
    ¿te (ha )?(resultado|sido|resultó) útil
    tu dirección de correo
    su dirección de correo
    los campos (obligatorios|necesarios)
    este sitio usa
    esta entrada fue publicada
    publicad[oa] (en|por|el)\b
    (categorías?|etiquetas?)\s?:
    seguir leyendo
    leer más\b
    todos los derechos reservados
    entrada (anterior|siguiente)
    compartir en
    suscríbete
  `,
  it: lines`
    ultim[oa] (aggiornamento|modifica)\b.{0,12}\d
    leggi anche\s?[:：]
    il tuo indirizzo email
    questo sito (usa|utilizza)
    pubblicato (in|da|il)\b
    (categorie|etichette)\s?:
    continua a leggere
    leggi tutto
    tutti i diritti riservati
    condividi su
  `,
  pt: lines`
    (leia|veja) também\s?[:：]
    esta página (foi|é) útil
    o seu (endereço de )?e-?mail não
    este site (usa|utiliza)
    publicado (em|por)\b
    (categorias|marcadores)\s?:
    todos os direitos reservados
    continue lendo
    leia mais\b
  `,
  pl: lines`
    ostatnia (aktualizacja|modyfikacja)\b.{0,12}\d
    (czytaj|zobacz|przeczytaj) (też|także|również)\s?[:：]
    twój adres e-?mail nie
    wszelkie prawa zastrzeżone
    czytaj (więcej|dalej)
    opublikowano (w|przez)\b
  `,
  ru: lines`
    (читайте|смотрите) также\s?[:：]
    ваш (e-?mail|адрес email) не будет
    все права защищены
    читать (далее|дальше|полностью)
    опубликовано в\b
    рубрик[аи]:
    метк[аи]:
    теги:
  `,
  uk: lines`
    (читайте|дивіться) також\s?[:：]
  `,
  ja: lines`
    この記事は有料
    編集部
    続きを読む
    全文を読む
    著作権
    無断転載
  `,
  nl: lines`
    laatst (bijgewerkt|gewijzigd)\b.{0,12}\d
    je e-?mailadres (wordt|zal) niet
    geplaatst (in|op|door)\b
    lees (meer|verder)\b
    alle rechten voorbehouden
  `,
  zh: lines`
    版权所有
    转载请注明
    未经授权
    责任编辑
  `,
};
