const MAX_STYLE = 16_384;

/** Declarations of a style attribute by lower-case property; of several the last that holds, as CSS has it. */
export type Declarations = ReadonlyMap<string, string>;

/** Splits at the semicolons outside brackets and quotes; comments are dropped. Linear. */
export function declarationsOf(style: string): Declarations {
  const declarations = new Map<string, { value: string; important: boolean }>();
  for (const part of split(withoutComments(style.slice(0, MAX_STYLE)))) {
    const colon = part.indexOf(':');
    if (colon < 0) continue;
    const property = part.slice(0, colon).trim().toLowerCase();
    const text = part
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const bang = text.lastIndexOf('!');
    const important = bang >= 0 && text.slice(bang + 1).trim() === 'important';
    const value = important ? text.slice(0, bang).trim() : text;
    if (!important && declarations.get(property)?.important) continue;
    declarations.set(property, { value, important });
  }
  return new Map([...declarations].map(([property, { value }]) => [property, value]));
}

/** Whether an element with these declarations is not seen at all. */
export function isHiding(declarations: Declarations): boolean {
  const opacity = declarations.get('opacity');
  return (
    declarations.get('display') === 'none' ||
    ['hidden', 'collapse'].includes(declarations.get('visibility') ?? '') ||
    (opacity !== undefined && Number.parseFloat(opacity) === 0)
  );
}

function withoutComments(style: string): string {
  if (!style.includes('/*')) return style;
  return style
    .split('/*')
    .map((piece, number) => (number === 0 ? piece : piece.slice(endOfComment(piece))))
    .join('');
}

function endOfComment(piece: string): number {
  const end = piece.indexOf('*/');
  return end < 0 ? piece.length : end + 2;
}

function* split(style: string): Generator<string> {
  let start = 0;
  let depth = 0;
  let quote = '';
  for (let at = 0; at < style.length; at++) {
    const character = style[at] as string;
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth = Math.max(0, depth - 1);
    else if (character === ';' && depth === 0) {
      yield style.slice(start, at);
      start = at + 1;
    }
  }
  yield style.slice(start);
}
