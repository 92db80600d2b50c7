import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { readFile } from '../../reader/read-file.js';
import { recognisePage } from '../../reader/recognise-page.js';
import { jpegPicture, scannedPdf } from '../../test/support/scanned-pdf.js';
import { recogniserOf } from '../../workers/recognise/engine.js';
import { languageDataPath } from '../../workers/recognise/language-data.js';

/*
 * Prints pages in several languages with a browser, as a scanner would see them, and counts the characters that are
 * recognised wrongly. Languages without data are skipped: `npm install --no-save @tesseract.js-data/fra`.
 */

const texts: Record<string, string[]> = {
  eng: [
    'The municipal library opens from Tuesday to Friday at 10:00 and closes at 18:30. On Saturdays the reading room is open until 13:00.',
    'A card costs 18.50 € a year; pupils and students pay 9.25 €. Lost media are replaced at the price of 2026, plus a fee of 4 %.',
    'Please return audio books within 21 days. Every further day costs 0.30 € per item, at most 12 € in all.',
  ],
  deu: [
    'Die Stadtbücherei öffnet dienstags bis freitags um 10:00 Uhr und schließt um 18:30 Uhr. Samstags ist der Lesesaal bis 13:00 Uhr geöffnet.',
    'Der Ausweis kostet jährlich 18,50 €; Schülerinnen und Schüler zahlen 9,25 €. Verlorene Medien werden zum Preis von 2026 ersetzt, zuzüglich 4 %.',
    'Bitte geben Sie Hörbücher innerhalb von 21 Tagen zurück. Jeder weitere Tag kostet 0,30 € je Stück, höchstens aber 12 €.',
  ],
  fra: [
    'La bibliothèque municipale ouvre du mardi au vendredi à 10 h 00 et ferme à 18 h 30. Le samedi, la salle de lecture reste ouverte jusqu’à 13 h 00.',
    'La carte coûte 18,50 € par an ; les élèves et les étudiants paient 9,25 €. Les documents perdus sont remplacés au prix de 2026, avec 4 % de frais.',
    'Merci de rendre les livres audio dans les 21 jours. Chaque jour de plus coûte 0,30 € par document, et au plus 12 €.',
  ],
  spa: [
    'La biblioteca municipal abre de martes a viernes a las 10:00 y cierra a las 18:30. Los sábados, la sala de lectura está abierta hasta las 13:00.',
    'El carné cuesta 18,50 € al año; los alumnos pagan 9,25 €. Los libros perdidos se reponen al precio de 2026, más un 4 % de gastos.',
    'Devuelva los audiolibros en un plazo de 21 días. Cada día de más cuesta 0,30 € por artículo, y como máximo 12 €. ¿Preguntas? Llámenos.',
  ],
  pol: [
    'Biblioteka miejska jest otwarta od wtorku do piątku od 10:00 do 18:30. W soboty czytelnia działa do godziny 13:00.',
    'Karta kosztuje 18,50 € rocznie; uczniowie płacą 9,25 €. Zgubione książki zastępujemy po cenie z 2026 roku, z dopłatą 4 %.',
    'Prosimy zwracać audiobooki w ciągu 21 dni. Każdy następny dzień kosztuje 0,30 € za sztukę, najwyżej 12 €.',
  ],
};

const resolutions = [120, 150, 200, 300];
const kinds = {
  clean: '',
  noisy: 'transform:rotate(1.2deg);filter:blur(0.6px) contrast(0.7)',
};
const grain =
  '<svg style="position:fixed;inset:0" width="794" height="1123"><filter id="g"><feTurbulence type="fractalNoise" baseFrequency="1.1" numOctaves="2" seed="7"/><feColorMatrix values="0 0 0 0 0  0 0 0 0 0  0 0 0 0 0  0 0 0 0.9 -0.45"/></filter><rect width="794" height="1123" filter="url(#g)" opacity="0.8"/></svg>';

const htmlOf = (lines: readonly string[], kind: keyof typeof kinds): string =>
  `<meta charset="utf-8"><body style="margin:0;background:#fff;width:794px;height:1123px;overflow:hidden"><div style="padding:80px 75px;font:12.5px/1.5 'DejaVu Serif',serif;${kinds[kind]}">${[...lines, ...lines, ...lines].map((line) => `<p>${line}</p>`).join('')}</div>${kind === 'noisy' ? grain : ''}`;

async function scan(browser: Browser, html: string, resolution: number): Promise<Uint8Array> {
  const page = await browser.newPage({
    viewport: { width: 794, height: 1123 },
    deviceScaleFactor: resolution / 96,
  });
  await page.setContent(html);
  const data = await page.screenshot({ type: 'jpeg', quality: 45 });
  await page.close();
  const [width, height] = sizeOf(data);
  return scannedPdf([
    { size: [595, 842], pictures: [jpegPicture(data, width, height, 'RGB', [595, 0, 0, 842, 0, 0])] },
  ]);
}

/** Reads width and height from the frame header of a JPEG file (ITU-T T.81, B.2.2). */
function sizeOf(data: Buffer): [number, number] {
  let at = 2;
  while ((data[at + 1] ?? 0) < 0xc0 || (data[at + 1] ?? 0) > 0xc3) at += 2 + data.readUInt16BE(at + 2);
  return [data.readUInt16BE(at + 7), data.readUInt16BE(at + 5)];
}

/** Returns the number of letters to insert, delete or replace. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

const plain = (text: string): string => text.replace(/[’']/g, "'").replace(/\s+/g, ' ').trim();
const numbersIn = (text: string): string[] => text.match(/\d[\d.,:]*\d|\d/g) ?? [];

const browser = await chromium.launch({
  executablePath: ['/usr/bin/chromium', '/usr/bin/google-chrome'].find(existsSync) ?? '',
  args: ['--no-sandbox'],
});
console.log(
  '| language | kind | dpi | wrong characters | wrong numbers | seconds |\n| --- | --- | --- | --- | --- | --- |',
);
for (const [language, lines] of Object.entries(texts)) {
  if (languageDataPath(language) === null) {
    console.log(`| ${language} | no data | | | | |`);
    continue;
  }
  const languages = language === 'eng' ? ['eng'] : [language, 'eng'];
  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    for (const resolution of resolutions) {
      const bytes = await scan(browser, htmlOf(lines, kind), resolution);
      const startedAt = performance.now();
      const recognised = await recognisePage(new Uint8Array(bytes), 1, recogniserOf(languages));
      const seconds = (performance.now() - startedAt) / 1000;
      const reading = await readFile({ bytes, fileName: 'scan.pdf', recognised: [recognised] });
      const text = plain(reading.ok ? reading.content.text : '');
      const wanted = plain([...lines, ...lines, ...lines].join(' '));
      const share = distance(wanted, text) / wanted.length;
      const found = numbersIn(text);
      const wrong = found.filter((number) => !numbersIn(wanted).includes(number)).length;
      console.log(
        `| ${language} | ${kind} | ${resolution} | ${(100 * share).toFixed(2)} % | ${wrong} of ${numbersIn(wanted).length} | ${seconds.toFixed(1)} |`,
      );
    }
  }
}
await browser.close();
process.exit();
