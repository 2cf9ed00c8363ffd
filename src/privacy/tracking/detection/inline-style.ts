const MAX_STYLE = 16_384;

/** Declarations of a style attribute by lower-case property; the last valid one of a property counts, as in CSS. */
export type Declarations = ReadonlyMap<string, string>;

/** Splits at the semicolons outside brackets and quotes; comments are dropped. Linear. */
export function declarationsOf(style: string): Declarations {
  const declarations = new Map<string, { value: string; important: boolean }>();
  for (const part of split(removeComments(style.slice(0, MAX_STYLE)))) {
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

/** Whether an element with these declarations is invisible. */
export function isHiding(declarations: Declarations): boolean {
  const opacity = declarations.get('opacity');
  return (
    declarations.get('display') === 'none' ||
    ['hidden', 'collapse'].includes(declarations.get('visibility') ?? '') ||
    (opacity !== undefined && Number.parseFloat(opacity) === 0)
  );
}

function removeComments(style: string): string {
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

/** Drawn size of an image along one axis, in CSS pixels; `stretched`: set by its surroundings; null: its own size. */
export type Extent = number | 'stretched' | null;

/** CSS lengths in pixels (CSS Values 4, §6); em-like units by the usual font size. */
const PIXELS: Readonly<Record<string, number>> = {
  '': 1,
  px: 1,
  pt: 4 / 3,
  pc: 16,
  in: 96,
  cm: 96 / 2.54,
  mm: 96 / 25.4,
  q: 96 / 101.6,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
};
const NUMBER = /^\s*\+?(\d{1,9}(?:\.\d{0,9})?|\.\d{1,9})\s*([a-z%]*)/i;

/** The drawn extent, from the attribute and the style. @param axis `width` or `height` */
export function extentOf(axis: 'width' | 'height', attribute: string | null, style: Declarations): Extent {
  const declared = style.has(axis) ? lengthOf(style.get(axis) as string) : null;
  const drawn = declared ?? (attribute === null ? null : attributeOf(attribute));
  const least = lengthOf(style.get(`min-${axis}`) ?? '');
  if (least === 'stretched' || (typeof least === 'number' && least > Number(drawn ?? 0))) return least;
  const most = lengthOf(style.get(`max-${axis}`) ?? '');
  // Only a tiny bound makes an image small; `max-width: 600px` tells nothing about it.
  if (typeof most === 'number' && most <= 2 && (drawn === null || typeof drawn === 'string' || drawn > most))
    return most;
  return drawn;
}

/** The extent in a dimension attribute (HTML §2.3.4.4): a number, whatever follows it; a percentage is `stretched`. */
function attributeOf(attribute: string): Extent {
  const match = NUMBER.exec(attribute);
  if (!match) return null;
  return match[2]?.startsWith('%') && Number(match[1]) > 0 ? 'stretched' : Number(match[1]);
}

function lengthOf(value: string): Extent {
  const match = NUMBER.exec(value);
  if (!match) return null;
  const number = Number(match[1]);
  const unit = (match[2] ?? '').toLowerCase();
  if (number === 0) return 0;
  if (unit === '%' || unit.startsWith('v')) return 'stretched';
  const pixels = PIXELS[unit];
  return pixels === undefined ? null : number * pixels;
}
