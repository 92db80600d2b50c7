import { lines, type Phrases } from './phrases.js';

/** Headings of parts after the content: related articles, discussion, sharing. The whole heading must match. */
export const endHeadings: Phrases = {
  en: lines`
    you (may|might) (also )?(like|enjoy|be interested in)
    related( (posts?|articles?|stories|content|links?|news|topics?|reading|products?|pages?|items?))?
    similar (posts?|articles?|topics?|products?)
    recommended( (for you|posts?|articles?|reading|stories))?
    more (from|on|in|about|stories|articles|posts|news|like)\b.{0,40}
    read (more|next|also)
    recent (posts?|comments?|articles?|news)
    latest (posts?|news|articles?|stories)
    popular (posts?|articles?)
    most (read|popular|viewed|commented)
    trending( now)?
    (explore|discover|keep|continue) (more|reading)
    up next
    editors?['’]?s? picks?
    in case you missed it
    (customers|people|others) (who |also )?(also )?(bought|viewed|liked)\b.{0,50}
    recently viewed( \w+)?
    frequently bought together
    complete the look
    similar threads
    related threads
    who is online
    users browsing this (forum|thread|topic)
    posting permissions
    forum (rules|permissions)
    hot network questions
    more events
    also (read|see|by)
    don['’]t miss
    share this( \w+)?
    share( on| via)?
    sharing
    follow us( on)?\b.{0,30}
    like this
    leave a (reply|comment)( cancel reply)?
    post a comment
    add (a |your )?comment
    write a comment
    join the (conversation|discussion)
    comments?( \(\d+\))?
    \d+ (comments?|responses?|replies|thoughts?)\b.{0,60}
    no comments( yet)?
    about the authors?
    subscribe\b.{0,50}
    sign up\b.{0,60}
    newsletter
    (post )?navigation
    tags
    categories
    archives?
    blogroll
    advertisement
    sponsored( content)?
  `,
  de: lines`
    ähnliche (artikel|beiträge|themen|produkte|nachrichten)
    das könnte (sie|dich) auch interessieren
    weitere (artikel|beiträge|meldungen|themen|nachrichten|informationen|links)
    mehr (zum thema|artikel|aus|von)\b.{0,40}
    lesen sie (auch|mehr|dazu)\b.{0,30}
    verwandte (artikel|beiträge|themen)
    passend zum thema
    auch interessant
    kunden kauften auch
    kunden interessierten sich auch\b.{0,30}
    wird oft zusammen gekauft
    zuletzt angesehen
    empfehlungen( der redaktion)?
    lesetipps?
    wer ist online
    ähnliche threads
    meistgelesen
    neueste (beiträge|artikel|kommentare)
    letzte (beiträge|kommentare)
    schreibe einen kommentar
    kommentar (schreiben|verfassen|hinterlassen)
    hinterlasse (eine antwort|einen kommentar)
    einen kommentar (schreiben|hinterlassen)
    kommentare?( \(\d+\))?
    \d+ (kommentare?|antworten|gedanken)\b.{0,60}
    artikel teilen
    beitrag teilen
    teilen( mit)?
    teilen sie\b.{0,40}
    schlagwörter
    schlagworte
    kategorien
    archiv
    themen
    über den autor
    anzeige
  `,
  fr: lines`
    articles? (similaires?|connexes|liés|récents)
    à lire (aussi|également)\b.{0,20}
    lire (aussi|également)
    sur le même (sujet|thème)
    vous aimerez (aussi|peut-être)\b.{0,20}
    dans la même (rubrique|catégorie)
    à ne pas manquer
    nos (derniers|autres) articles
    les plus lus
    produits (similaires|associés)
    plus d'articles
    laisser un commentaire
    (ajouter|écrire|poster) un commentaire
    votre commentaire
    commentaires?( \(\d+\))?
    \d+ (commentaires?|réponses?)\b.{0,60}
    partager\b.{0,30}
    suivez-nous\b.{0,20}
    mots[- ]clés
    étiquettes
    catégories
  `,
  es: lines`
    artículos relacionados
    noticias relacionadas
    entradas relacionadas
    relacionad[oa]s
    también te puede interesar
    te puede interesar
    le puede interesar
    más (noticias|información|leídas|sobre)\b.{0,30}
    lee también
    leer también
    te recomendamos
    lo más (leído|visto)
    no te pierdas
    productos (relacionados|similares)
    otras noticias
    deja (un comentario|una respuesta)
    dejar un comentario
    comentarios?( \(\d+\))?
    \d+ (comentarios?|respuestas?)\b.{0,60}
    compart(ir|e|ilo)\b.{0,30}
    síguenos\b.{0,20}
    etiquetas
    categorías
  `,
  it: lines`
    articoli correlati
    potrebbe interessarti( anche)?
    ti potrebbe interessare
    leggi anche
    prodotti correlati
    i più letti
    potrebbero interessarti
    lascia un commento
    commenti( \(\d+\))?
    condividi\b.{0,20}
  `,
  pt: lines`
    artigos relacionados
    posts? relacionados
    notícias relacionadas
    leia (também|mais)
    veja também
    você também pode gostar
    deixe (um comentário|uma resposta|seu comentário)
    comentários?
    compartilh(e|ar)\b.{0,20}
  `,
  nl: lines`
    gerelateerde (artikelen|berichten)
    lees ook
    lees meer
    meer (over|nieuws|artikelen)\b.{0,30}
    reageer
    reacties
    geef een reactie
    delen
  `,
  pl: lines`
    powiązane( (artykuły|wpisy))?
    podobne (artykuły|wpisy|tematy)
    zobacz (także|również|też)
    polecane
    najczęściej czytane
    czytaj (także|również|też|więcej)
    przeczytaj (także|również|też)
    dodaj komentarz
    komentarze
    udostępnij
  `,
  cs: lines`
    související (články|témata)
    mohlo by vás zajímat
    čtěte také
    komentáře
    sdílet
  `,
  sv: lines`
    liknande artiklar
    läs (också|mer|även)
    relaterade artiklar
    kommentarer
    dela
  `,
  no: lines`
    les også
    relaterte saker
  `,
  da: lines`
    læs også
  `,
  fi: lines`
    lue myös
    jaa
  `,
  ru: lines`
    похожие (статьи|записи|материалы|новости|темы)
    читайте также
    читать также
    по теме
    материалы по теме
    смотрите также
    другие новости
    ещё по теме
    оставить комментарий
    добавить комментарий
    комментарии( \(\d+\))?
    комментариев нет
    поделиться\b.{0,20}
    поделитесь\b.{0,20}
    метки
    рубрики
  `,
  uk: lines`
    схожі статті
    читайте також
    коментарі
    залишити відповідь
  `,
  zh: lines`
    相关(文章|阅读|新闻|推荐|链接)
    推荐阅读
    更多(新闻|文章|精彩)?
    最新(文章|新闻)
    延伸阅读
    猜你喜欢
    热门(文章|推荐)
    评论
    发表评论
    网友评论
    分享到?
    上一篇
    下一篇
    相關(文章|閱讀|新聞)
    推薦閱讀
    延伸閱讀
    關連記事
  `,
  ja: lines`
    関連記事
    関連リンク
    あわせて読みたい
    こちらもおすすめ
    アクセスランキング
    おすすめ記事
    人気記事
    新着記事
    コメント(を(残す|書く|投稿する))?
    シェア(する)?
    この記事をシェア
  `,
  ko: lines`
    관련 ?(기사|글|뉴스)
    추천 ?기사
    댓글
    공유하기
  `,
  ar: lines`
    مقالات ذات صلة
    مواضيع ذات صلة
    اقرأ أيضا
    التعليقات
    شارك
  `,
  fa: lines`
    مطالب مرتبط
    نظرات
    کتابهای مرتبط
  `,
  tr: lines`
    ilgili (haberler|yazılar|ürünler|içerikler)
    bunlar da ilginizi çekebilir
    öne çıkanlar
    çok okunanlar
    benzer (yazılar|haberler)
    yorumlar
    yorum yap(ın)?
    bir (cevap|yanıt) yazın
    paylaş
  `,
  el: lines`
    σχετικά άρθρα
    διαβάστε επίσης
    δείτε επίσης
    περισσότερα
    σχόλια
  `,
  he: lines`
    כתבות קשורות
    קראו גם
    כתבות נוספות
    עוד בנושא
    תגובות
  `,
  th: lines`
    ข่าวที่เกี่ยวข้อง
    บทความที่เกี่ยวข้อง
    อ่านเพิ่มเติม
  `,
  vi: lines`
    bài viết liên quan
    tin liên quan
    xem thêm
  `,
  id: lines`
    artikel terkait
    baca juga
    berita terkait
  `,
};
