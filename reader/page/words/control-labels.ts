import { lines, type Phrases } from './phrases.js';

/** Labels of controls such as share buttons. The whole text must match. */
export const controlLabels: Phrases = {
  en: lines`
    add to (cart|basket|bag|wish ?list|compare|favou?rites)
    buy (it )?now
    shop now
    quick (view|add|shop)
    select options
    view (all|more|details|product|cart|full \p{L}+)
    (see|show|load|view|learn|discover|find out) (all|more|less)
    see details
    get (started|the recipe|directions)
    start (a |your |my )?free trial
    try (it )?(for )?free
    book (a demo|now)
    request a (demo|quote)
    sign (in|up)( now)?
    log ?(in|out)
    register( now)?
    subscribe( now)?
    follow(ing)?
    share
    tweet
    pin( it)?
    like
    reply
    quote
    report
    save
    print
    download pdf
    copy( link| to clipboard| code)?
    edit
    close
    menu
    search
    next
    previous
    prev
    back
    skip
    cancel
    submit
    post (a )?(reply|comment)
    add (a )?comment
    toggle \p{L}+
    expand( all| description)?
    collapse( all)?
    click here
    permalink
  `,
  de: lines`
    in den warenkorb
    jetzt (kaufen|bestellen|anmelden)
    zum (produkt|artikel|shop)
    mehr (erfahren|lesen|anzeigen|infos?)
    alle anzeigen
    merken
    drucken
    teilen
    anmelden
    antworten
    zitieren
    melden
  `,
  fr: lines`
    ajouter au panier
    acheter
    en savoir plus
    voir (plus|tout|le produit|tous les \p{L}+)
    partager
    répondre
    imprimer
    s['’]inscrire
    se connecter
  `,
  es: lines`
    añadir al carrito
    comprar( ahora)?
    ver (más|todo|todos|detalles)
    leer más
    compartir
    responder
  `,
  it: lines`
    aggiungi al carrello
    acquista( ora)?
    scopri di più
    vedi tutt[oi]
    condividi
    rispondi
    stampa
  `,
  pt: lines`
    adicionar ao carrinho
    saiba mais
    ver (mais|tudo)
    compartilhar
    partilhar
  `,
  nl: lines`
    in winkelwagen
    meer (lezen|info)
    bekijk( alles| meer)?
    delen
  `,
  pl: lines`
    do koszyka
    dodaj do koszyka
    zobacz więcej
    udostępnij
  `,
  cs: lines`
    do košíku
    zobrazit více
  `,
  sv: lines`
    köp
    läs mer
    visa (mer|alla)
  `,
  da: lines`
    læs mere
  `,
  no: lines`
    les mer
  `,
  fi: lines`
    lue lisää
  `,
  ru: lines`
    в корзину
    купить
    подробнее
    показать (ещё|еще|все)
    читать (далее|дальше|полностью)
    поделиться
    ответить
    войти
  `,
  tr: lines`
    sepete ekle
    devamını oku
    paylaş
  `,
  zh: lines`
    加入购物车
    立即购买
    查看更多
    更多
    分享
    回复
    登录
  `,
  ja: lines`
    カートに入れる
    もっと見る
    続きを読む
    詳細を見る
    シェア
    返信
  `,
  ko: lines`
    장바구니( 담기)?
    더 ?보기
    공유하기?
    답글
  `,
  ar: lines`
    أضف إلى السلة
    اقرأ المزيد
    شارك
  `,
  he: lines`
    הוסף לסל
    קרא עוד
    שתף
  `,
};
