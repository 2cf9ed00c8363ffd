/** Items of a list that become one piece. */
const ITEMS = 500;

/**
 * The text of `JSON.stringify(fields, null, indent)` in pieces: lists of a hundred thousand items would stop everything
 * else while they become one text.
 */
export function* jsonPieces(fields: Readonly<Record<string, unknown>>, indent: number): Generator<Buffer> {
  const margin = ' '.repeat(indent);
  let text = '{';
  let separator = `\n${margin}`;
  for (const [key, value] of Object.entries(fields)) {
    text += `${separator}${JSON.stringify(key)}: `;
    separator = `,\n${margin}`;
    if (!Array.isArray(value) || value.length === 0) {
      text += JSON.stringify(value, null, indent);
      continue;
    }
    text += '[';
    for (let start = 0; start < value.length; start += ITEMS) {
      // A list within a field is indented once more than one by itself.
      const list = JSON.stringify(value.slice(start, start + ITEMS), null, indent).replaceAll(
        '\n',
        `\n${margin}`,
      );
      text += list.slice('['.length, -`\n${margin}]`.length);
      if (start + ITEMS < value.length) text += ',';
      yield Buffer.from(text);
      text = '';
    }
    text += `\n${margin}]`;
  }
  yield Buffer.from(`${text}\n}\n`);
}
