export interface DecodedText {
  text: string;
  /** Lower case; the name of WHATWG if it has one. */
  charset: string;
}

/** Characters of the upper half of code pages of DOS that TextDecoder does not know. */
const dosCodePages: Readonly<Record<string, string>> = {
  ibm850:
    'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0',
  ibm852:
    'ÇüéâäůćçłëŐőîŹÄĆÉĹĺôöĽľŚśÖÜŤťŁ×čáíóúĄąŽžĘę¬źČş«»░▒▓│┤ÁÂĚŞ╣║╗╝Żż┐└┴┬├─┼Ăă╚╔╩╦╠═╬¤đĐĎËďŇÍÎě┘┌█▄ŢŮ▀ÓßÔŃńňŠšŔÚŕŰýÝţ´\u00ad˝˛ˇ˘§÷¸°¨˙űŘř■\u00a0',
};

/**
 * Decodes in stream mode. The one-call path of Node 20 reads windows-1252 as ISO-8859-1, which loses quotation marks,
 * dashes and the euro sign.
 */
export function decodeBytes(bytes: Uint8Array, charset: string): string {
  const upperHalf = dosCodePages[charset];
  if (upperHalf !== undefined) {
    const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
    return latin1.replace(/[\x80-\xff]/g, (char) => upperHalf.charAt(char.charCodeAt(0) - 0x80));
  }
  const decoder = new TextDecoder(charset);
  return decoder.decode(bytes, { stream: true }) + decoder.decode();
}
