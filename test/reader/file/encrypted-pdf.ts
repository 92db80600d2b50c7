import { createHash } from 'node:crypto';
import { pdfOf } from './fixtures.js';

/** One page whose compressed content is encrypted by 40-bit RC4 with the empty password (ISO 32000-1, 7.6.3). */
export function encryptedPdf(data: Buffer): Uint8Array {
  const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
  const id = Buffer.alloc(16, 7);
  const owner = Buffer.alloc(32, 9);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const md5 = (...parts: Buffer[]) => createHash('md5').update(Buffer.concat(parts)).digest();
  const key = md5(padding, owner, permissions, id).subarray(0, 5);
  const user = rc4(key, padding);
  const objectKey = md5(key, Buffer.from([5, 0, 0, 0, 0])).subarray(0, 10);
  const packed = rc4(objectKey, data);
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[4 0 R]/Count 1>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>',
      `<</Length ${packed.length}/Filter/FlateDecode>>\nstream\n${packed.toString('latin1')}\nendstream`,
    ],
    `/ID[<${id.toString('hex')}><${id.toString('hex')}>]/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${owner.toString('hex')}>/U<${user.toString('hex')}>>>`,
  );
}

function rc4(secret: Buffer, plain: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i);
  const swap = (i: number, j: number) => {
    const held = state[i] ?? 0;
    state[i] = state[j] ?? 0;
    state[j] = held;
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + (state[i] ?? 0) + (secret[i % secret.length] ?? 0)) & 255;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    plain.map((byte) => {
      i = (i + 1) & 255;
      j = (j + (state[i] ?? 0)) & 255;
      swap(i, j);
      return byte ^ (state[((state[i] ?? 0) + (state[j] ?? 0)) & 255] ?? 0);
    }),
  );
}
