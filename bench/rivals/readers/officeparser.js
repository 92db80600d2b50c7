import officeparser from 'officeparser';

export async function read(bytes, name) {
  const fileType = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const document = await officeparser.parseOffice(Buffer.from(bytes.buffer), { fileType });
  const { value } = await document.to('text');
  return { text: value };
}
