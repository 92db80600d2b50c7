/** A picture, font or sound written as text: base 64 on one or more lines, or the markup of a drawing. */
const inBase64 =
  /data:[a-z]+\/[a-z\d.+-]+(?:;[a-z\d-]+=[a-z\d-]+)*;base64,[A-Za-z\d+/]{40,}={0,2}(?:\n[A-Za-z\d+/]{40,}={0,2})*(?:\n[A-Za-z\d+/]{1,75}={1,2}(?![A-Za-z\d+/=]))?/g;
const asDrawing = /data:image\/svg\+xml[^,\s]{0,40},(?:(?!data:)[^\n]){0,20000}?(?:%3C\/svg%3E|<\/svg>)/gi;

/** Removes embedded data of pictures. */
export const withoutPictures = (text: string): string =>
  text.includes('data:') ? text.replace(inBase64, '').replace(asDrawing, '') : text;
