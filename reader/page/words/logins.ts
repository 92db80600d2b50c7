import { lines, type Phrases } from './phrases.js';

/** Titles and headings of login pages. */
export const logins: Phrases = {
  en: lines`
    log ?in
    log ?on
    sign ?in
    authentication required
    members? only
    account required
  `,
  de: lines`
    anmelden
    anmeldung
    einloggen
  `,
  fr: lines`
    connexion
    se connecter
    connectez-vous
    identifiez-vous
  `,
  es: lines`
    iniciar sesión
    inicia sesión
    identifícate
  `,
  it: lines`
    accedi
  `,
  pt: lines`
    entrar
  `,
  nl: lines`
    inloggen
    aanmelden
  `,
  pl: lines`
    zaloguj
    logowanie
  `,
  cs: lines`
    přihlásit
    přihlášení
  `,
  sv: lines`
    logga in
  `,
  no: lines`
    logg inn
  `,
  da: lines`
    log ind
  `,
  fi: lines`
    kirjaudu
  `,
  ru: lines`
    войти
    вход
  `,
  uk: lines`
    увійти
  `,
  tr: lines`
    giriş yap
    oturum aç
  `,
  hu: lines`
    bejelentkezés
  `,
  zh: lines`
    登录
    登入
  `,
  ja: lines`
    ログイン
  `,
  ko: lines`
    로그인
  `,
  ar: lines`
    تسجيل الدخول
  `,
  fa: lines`
    ورود
  `,
  he: lines`
    כניסה
    התחברות
  `,
};
