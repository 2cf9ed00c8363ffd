import { ApiError } from './api-error';

/** A parsed `fields` parameter: wanted keys, each with the mask below it or `true` for everything. */
export type FieldsMask = Map<string, FieldsMask | true>;

/** Parses Google's partial-response syntax: `a,b/c,d(e,f/g),*`; throws 400 when it is malformed. */
export function parseFields(text: string): FieldsMask {
  let at = 0;
  const invalid = (): ApiError => ApiError.invalidArgument(`Invalid field selection ${text}`);

  const list = (depth: number): FieldsMask => {
    const mask: FieldsMask = new Map();
    do {
      const name = /^[A-Za-z0-9_*@-]+/.exec(text.slice(at, at + 100))?.[0];
      if (name === undefined || depth > 30) throw invalid();
      at += name.length;
      merge(mask, name, selection(depth));
    } while (text[at] === ',' && at++ >= 0);
    return mask;
  };
  const selection = (depth: number): FieldsMask | true => {
    if (text[at] === '(') {
      at++;
      const mask = list(depth + 1);
      if (text[at] !== ')') throw invalid();
      at++;
      return mask;
    }
    if (text[at] !== '/') return true;
    at++;
    const name = /^[A-Za-z0-9_*@-]+/.exec(text.slice(at, at + 100))?.[0];
    if (name === undefined) throw invalid();
    at += name.length;
    return new Map([[name, selection(depth + 1)]]);
  };

  const mask = list(0);
  if (at !== text.length) throw invalid();
  return mask;
}

function merge(mask: FieldsMask, name: string, below: FieldsMask | true): void {
  const known = mask.get(name);
  if (known === undefined || known === true || below === true) mask.set(name, known === true ? true : below);
  else for (const [key, value] of below) merge(known, key, value);
}

/** Keeps what the mask asks for; arrays are masked element by element. */
export function applyFields(value: unknown, mask: FieldsMask | true): unknown {
  if (mask === true || value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: unknown) => applyFields(item, mask));
  const kept: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) {
    const below = mask.get(key) ?? mask.get('*');
    if (below !== undefined) kept[key] = applyFields(item, below);
  }
  return kept;
}
