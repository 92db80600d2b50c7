/** A block of running text. Tight blocks, such as list items, are not separated by a blank line. */
export interface Block {
  text: string;
  tight: boolean;
}

export function joinBlocks(blocks: readonly Block[]): string {
  let text = '';
  let previous: Block | undefined;
  for (const block of blocks) {
    if (block.text.trim() === '') continue;
    if (previous) text += previous.tight && block.tight ? '\n' : '\n\n';
    text += block.text;
    previous = block;
  }
  return text;
}
