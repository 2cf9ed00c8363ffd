import type { CssToken } from './css-tokens';
import { ALLOWED_PROPERTIES, IMAGE_PROPERTIES, MEASURED_FORWARD } from './css-properties';

/** Replaces an address in CSS: the mark of an image, or null when it is not shown. */
export type CssImages = (url: string) => string | null;

const COLOUR_FUNCTIONS = new Set(['rgb', 'rgba', 'hsl', 'hsla']);
const MATH_FUNCTIONS = new Set(['calc', 'min', 'max', 'clamp']);
const GRADIENTS = new Set([
  'linear-gradient',
  'radial-gradient',
  'repeating-linear-gradient',
  'repeating-radial-gradient',
]);
const IDENT = /^-{0,2}[a-z_][\w-]{0,63}$/i;
const HASH = /^[0-9a-f]{3,8}$/i;
const UNIT = /^(?:%|[a-z]{0,8})$/;
/** Strings without characters that need an escape, such as names of fonts. */
const PLAIN_STRING = /^[\p{L}\p{N} _.,+-]{0,100}$/u;
const MAX_VALUE_TOKENS = 200;

/**
 * The declarations of a style attribute or of a rule's block that do no more than colour, measure and set text: every
 * property, function and token is one of a list, and everything is written anew, so that the spelling of the source is
 * gone. Remote images are removed; the rest of their declaration stays.
 */
export function safeDeclarations(tokens: readonly CssToken[], images: CssImages): string {
  const safe: string[] = [];
  for (const declaration of splitAt(tokens, ';')) {
    const written = safeDeclaration(declaration, images);
    if (written !== null) safe.push(written);
  }
  return safe.join(';');
}

/** The tokens between the separators that stand outside all brackets. */
export function splitAt(tokens: readonly CssToken[], separator: ';' | ','): CssToken[][] {
  const groups: CssToken[][] = [[]];
  const open: string[] = [];
  for (const token of tokens) {
    if (open.length === 0 && token.type === 'delim' && token.value === separator) {
      groups.push([]);
      continue;
    }
    const closing = closingOf(token);
    if (closing !== null) open.push(closing);
    else if (token.type === 'delim' && token.value === open.at(-1)) open.pop();
    groups.at(-1)?.push(token);
  }
  return groups;
}

/** The bracket that closes the one a token opens. */
export function closingOf(token: CssToken): string | null {
  if (token.type === 'function') return ')';
  if (token.type !== 'delim') return null;
  return { '(': ')', '[': ']', '{': '}' }[token.value] ?? null;
}

/** Every address among some tokens: of `url(…)` in both spellings. */
export function addressesIn(tokens: readonly CssToken[]): string[] {
  return tokens.flatMap((token, index) => {
    if (token.type === 'url') return [token.value];
    const next = tokens[index + 1];
    const isUrl = token.type === 'function' && /^(?:url|src|image-set|-webkit-image-set)$/i.test(token.value);
    return isUrl && next?.type === 'string' ? [next.value] : [];
  });
}

function safeDeclaration(tokens: readonly CssToken[], images: CssImages): string | null {
  const start = tokens.findIndex(({ type }) => type !== 'space');
  const name = tokens[start];
  if (name?.type !== 'ident') return refuse(tokens, images);
  const property = name.value.toLowerCase();
  const colon = tokens.findIndex((token, index) => index > start && token.type !== 'space');
  const mark = tokens[colon];
  if (mark?.type !== 'delim' || mark.value !== ':' || !ALLOWED_PROPERTIES.has(property)) {
    return refuse(tokens, images);
  }
  const { value, important } = splitImportant(tokens.slice(colon + 1));
  if (value.length > MAX_VALUE_TOKENS) return refuse(tokens, images);
  const written = IMAGE_PROPERTIES.has(property)
    ? layers(value, images)
    : new ValueWriter(property).write(value);
  if (written === null) return IMAGE_PROPERTIES.has(property) ? null : refuse(value, images);
  return written === '' ? null : `${property}:${written}${important ? ' !important' : ''}`;
}

/** Leaves a declaration out, but counts its images. */
function refuse(tokens: readonly CssToken[], images: CssImages): null {
  for (const url of addressesIn(tokens)) images(url);
  return null;
}

function splitImportant(tokens: readonly CssToken[]): { value: readonly CssToken[]; important: boolean } {
  const bang = tokens.findIndex((token) => token.type === 'delim' && token.value === '!');
  if (bang === -1) return { value: tokens, important: false };
  const rest = tokens.slice(bang + 1).filter(({ type }) => type !== 'space');
  const [only] = rest;
  const important = rest.length === 1 && only?.type === 'ident' && only.value.toLowerCase() === 'important';
  // Any other word after `!` makes the declaration invalid.
  return important ? { value: tokens.slice(0, bang), important } : { value: [{ type: 'bad' }], important };
}

/** Layers of a background without the images that are not shown; empty when no layer is left. */
function layers(value: readonly CssToken[], images: CssImages): string | null {
  const written: string[] = [];
  let refused = false;
  for (const layer of splitAt(value, ',')) {
    const shown: string[] = [];
    const rest: CssToken[] = [];
    for (let index = 0; index < layer.length; index++) {
      const token = layer[index] as CssToken;
      const isQuoted = token.type === 'function' && token.value.toLowerCase() === 'url';
      if (token.type !== 'url' && !isQuoted) {
        rest.push(token);
        continue;
      }
      const [url = ''] = addressesIn(layer.slice(index, index + 2));
      const image = images(url);
      if (image !== null) shown.push(`url("${image}")`);
      if (isQuoted) while (index + 1 < layer.length && !isClosing(layer[index])) index++;
    }
    const other = new ValueWriter('background').write(rest);
    if (other === null) {
      refused = true;
      for (const url of addressesIn(rest)) images(url);
      continue;
    }
    const whole = [...shown, other].filter((piece) => piece !== '').join(' ');
    if (whole !== '') written.push(whole);
  }
  return refused ? null : written.join(',');
}

function isClosing(token: CssToken | undefined): boolean {
  return token?.type === 'delim' && token.value === ')';
}

type Bracket = 'colour' | 'math' | 'gradient';

/** Writes the tokens of a value again, or refuses all of it. */
class ValueWriter {
  private readonly open: Bracket[] = [];
  private text = '';

  constructor(private readonly property: string) {}

  /** Writes a value. @returns null when it has a token that is not allowed */
  write(tokens: readonly CssToken[]): string | null {
    for (const token of tokens) {
      const piece = this.writePiece(token);
      if (piece === null) return null;
      this.text += piece;
    }
    return (this.text + ')'.repeat(this.open.length)).replace(/ {2,}/g, ' ').trim();
  }

  private writePiece(token: CssToken): string | null {
    switch (token.type) {
      case 'space':
        return ' ';
      case 'ident':
        return IDENT.test(token.value) && !/^(?:expression|javascript)$/i.test(token.value)
          ? token.value
          : null;
      case 'hash':
        return HASH.test(token.value) ? `#${token.value}` : null;
      case 'number':
        return this.writeNumber(token.raw, token.unit);
      case 'string':
        return this.isFont && PLAIN_STRING.test(token.value) ? `'${token.value}'` : null;
      case 'function':
        return this.openFunction(token.value.toLowerCase());
      case 'delim':
        return this.writeDelimiter(token.value);
      default:
        return null;
    }
  }

  private get isFont(): boolean {
    return this.property === 'font-family' || this.property === 'font';
  }

  private writeNumber(raw: string, unit: string): string | null {
    if (!UNIT.test(unit)) return null;
    return MEASURED_FORWARD.test(this.property) && raw.startsWith('-') && Number(raw) < 0 ? null : raw + unit;
  }

  private openFunction(name: string): string | null {
    const kind = COLOUR_FUNCTIONS.has(name)
      ? 'colour'
      : MATH_FUNCTIONS.has(name)
        ? 'math'
        : GRADIENTS.has(name)
          ? 'gradient'
          : null;
    if (kind === null || (kind === 'math' && MEASURED_FORWARD.test(this.property))) return null;
    this.open.push(kind);
    return `${name}(`;
  }

  private writeDelimiter(value: string): string | null {
    if (value === ')') return this.open.pop() === undefined ? null : ')';
    if (value === ',' || value === '/') return value;
    if (this.open.at(-1) !== 'math') return null;
    if (value === '(') {
      this.open.push('math');
      return '(';
    }
    return ['+', '-', '*'].includes(value) ? value : null;
  }
}
