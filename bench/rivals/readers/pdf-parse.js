import { PDFParse } from 'pdf-parse';

export async function read(bytes) {
  const parser = new PDFParse({ data: bytes });
  try {
    // Without its page marks, which are no text of the document.
    const { text } = await parser.getText({ pageJoiner: '' });
    return { text };
  } finally {
    await parser.destroy();
  }
}
