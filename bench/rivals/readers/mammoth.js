import mammoth from 'mammoth';

export async function read(bytes) {
  const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes.buffer) });
  return { text: value };
}
