/** A text in lines of 80 columns: the label before the first, as much room before the others. */
const LINE_CHARS = 80;

export function wrapText(text: string, label: string): readonly string[] {
  const lines = [label];
  let isEmpty = true;
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    const isFull = !isEmpty && last.length + 1 + word.length > LINE_CHARS;
    if (isFull) lines.push(`${' '.repeat(label.length)}${word}`);
    else lines[lines.length - 1] = isEmpty ? `${last}${word}` : `${last} ${word}`;
    isEmpty = false;
  }
  return lines;
}
