import { lines, type Phrases } from './phrases.js';

/** Messages that empty pages show to browsers without scripts. */
export const scriptDemands: Phrases = {
  en: lines`
    checking (if the site|your browser|whether)[^.!?]{0,60}
    (verify(ing)?|confirm) (that )?you are (a )?human
    turn java ?script on
    (enable|turn on|activate|requires?|need|without|allow|support|disabled)[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}(enabled?|disabled|required?|turned (on|off))
    ^\s*(loading|please wait|just a moment)[\s.…!]*$
  `,
  de: lines`
    aktivieren[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}(aktivier|erforderlich)
    ^\s*(laden|wird geladen)[\s.…!]*$
  `,
  fr: lines`
    (activer|activez|active)[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}(activ|requis|désactivé)
    ^\s*chargement[\s.…!]*$
  `,
  es: lines`
    (habilite|habilita)[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}habilit
    ^\s*cargando[\s.…!]*$
  `,
  it: lines`
    abilita[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}necessari
  `,
  pt: lines`
    ativ(e|ar)[^.!?]{0,60}java ?script
  `,
  nl: lines`
    schakel[^.!?]{0,60}java ?script
  `,
  pl: lines`
    włącz[^.!?]{0,60}java ?script
  `,
  cs: lines`
    povolte[^.!?]{0,60}java ?script
  `,
  ru: lines`
    включите[^.!?]{0,60}java ?script
    java ?script[^.!?]{0,60}включ
    ^\s*загрузка[\s.…!]*$
  `,
  zh: lines`
    启用.{0,12}javascript
    開啟.{0,12}javascript
    javascript.{0,12}启用
    ^\s*加载中[\s.…!]*$
  `,
  ja: lines`
    javascript.{0,12}を有効
    ^\s*読み込み中[\s.…!]*$
  `,
  ko: lines`
    javascript.{0,12}사용
  `,
};
