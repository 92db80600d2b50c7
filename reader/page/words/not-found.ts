import { lines, type Phrases } from './phrases.js';

/**
 * Titles and headings of pages that do not exist. If several phrases start at the same position, the first one counts.
 */
export const notFound: Phrases = {
  en: lines`
    404
    error 410
    page (was |is |could )?(not|cannot be|can't be|couldn't be) (be )?found
    (the )?page (you (requested|are looking for|were looking for)|requested)?\s?(does not|doesn['’]t|no longer) exists?
    (the )?page (you (requested|are looking for|were looking for)|requested)?\s?(is|was) (no longer|not) (available|here|found)
    (the )?page (you (requested|are looking for|were looking for)|requested)?\s?(could not|cannot|can['’]t|couldn['’]t) be found
    not found
    nothing (was )?found( here)?
    (we )?(can['’]t|cannot|couldn['’]t|could not) (seem to )?find (the|that|this) (page|content)( (that )?you(['’]re| are| were)? (looking for|requested))?
    (this |the )?(content|page|post|article|listing|item|product) (isn['’]t|is not|is currently not|is no longer) available
    page (is )?missing
    page (gone|unavailable)
    no such page
  `,
  de: lines`
    seite (wurde |konnte )?(leider )?nicht (gefunden|vorhanden|verfügbar)
    seite existiert (leider )?nicht
    nicht gefunden
  `,
  fr: lines`
    page (non trouvée|introuvable)
    (cette |la )?page (\p{L}+ ){0,4}n['’]existe (pas|plus)
    introuvable
  `,
  es: lines`
    página no (encontrada|existe|disponible)
    no se (ha )?(encontrado|encontró|encuentra|pudo encontrar) (la|esta) página
    la página (\p{L}+ ){0,4}no (existe|se encuentra|está disponible|se ha encontrado)
  `,
  it: lines`
    pagina non (trovata|esiste|disponibile)
  `,
  pt: lines`
    página não (encontrada|existe|localizada)
  `,
  nl: lines`
    pagina (werd |is )?niet gevonden
    pagina bestaat niet
  `,
  pl: lines`
    strona nie (została )?(znaleziona|istnieje)
    nie znaleziono strony
  `,
  cs: lines`
    stránka (nebyla nalezena|nenalezena|neexistuje)
  `,
  sk: lines`
    stránka nenájdená
  `,
  sv: lines`
    sidan (kunde inte hittas|hittades inte|finns inte)
  `,
  no: lines`
    siden (ble ikke funnet|blev ikke fundet|findes ikke|finnes ikke|eksisterer ikke)
  `,
  fi: lines`
    sivua ei löyt(ynyt|y)
  `,
  ru: lines`
    страница не (найдена|существует)
    такой страницы (не существует|нет)
    страницы не существует
  `,
  uk: lines`
    сторінк[ау] не знайден[оа]
  `,
  tr: lines`
    sayfa bulunamadı
    aradığınız sayfa
  `,
  hu: lines`
    (az |a keresett )?oldal nem (található|létezik)
  `,
  ro: lines`
    pagina nu (a fost găsită|există)
  `,
  el: lines`
    η σελίδα δεν βρέθηκε
  `,
  zh: lines`
    页面(走丢了|不存在|未找到|没有找到|找不到)
    找不到(页面|网页|頁面|網頁|该页|您)
    頁面不存在
    抱歉.{0,12}(不存在|找不到)
  `,
  ja: lines`
    ページが(見つかりません|存在しません)
    お探しのページ
  `,
  ko: lines`
    페이지를 찾을 수 없
    존재하지 않는 페이지
  `,
  ar: lines`
    الصفحة غير موجودة
    لم يتم العثور على
  `,
  fa: lines`
    صفحه (مورد نظر )?(یافت نشد|پیدا نشد)
  `,
  he: lines`
    הדף לא נמצא
    העמוד לא נמצא
  `,
  vi: lines`
    trang không tồn tại
    không tìm thấy trang
  `,
  id: lines`
    halaman tidak ditemukan
  `,
  th: lines`
    ไม่พบหน้า
  `,
  hi: lines`
    पृष्ठ नहीं मिला
  `,
};
