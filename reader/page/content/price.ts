const price =
  /(?:[$€£¥₹₽₺₩₪฿]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|BRL|AUD|CAD|JPY|CNY|INR)\b)\s?\d|\d[\d\s.,]*\s?(?:[€£₽₺₩₪฿]|zł|kr\b|Kč|Ft\b|руб|лв|元|円|(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK)\b)/i;

/** Returns whether a text contains an amount of money. */
export const containsPrice = (text: string): boolean => price.test(text);
