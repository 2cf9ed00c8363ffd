import { isDash, isDigitAt, isInvisible, isLetterAt, isWordAt } from './characters';

/**
 * Whether a number that begins here is no piece of something longer: nothing of a word, a decimal, a code or a path
 * stands right before it.
 */
export function beginsAt(text: string, start: number): boolean {
  let at = start - 1;
  while (at >= 0 && isInvisible(text.charAt(at))) at--;
  if (at < 0) return true;
  if (isWordAt(text, at)) return false;
  const before = text.charAt(at);
  if (before === '.') return !isDigitAt(text, at - 1);
  if (isDash(before)) return !isWordAt(text, at - 1);
  if (before === '=') return !isQuery(text, at);
  if (before === '/' || before === '\\' || before === ':') {
    // `CB:4111…` and `tel/06…` are labels, `12:4111…` and `x/1/4111…` are paths.
    return before === ':' ? !isDigitAt(text, at - 1) : !isWordAt(text, at - 1);
  }
  return !'_#@+$€£%&~^*•●'.includes(before) || isMarkup(text, at);
}

/** Whether a number that ends here (exclusive) is not cut out of something longer. */
export function endsAt(text: string, end: number): boolean {
  let at = end;
  while (isInvisible(text.charAt(at))) at++;
  if (at >= text.length) return true;
  if (isWordAt(text, at)) return false;
  const next = text.charAt(at);
  if (next === '.' || next === '/' || next === ':') return !isDigitAt(text, at + 1) && !isPathOn(text, at);
  if (isDash(next)) return !isWordAt(text, at + 1);
  return !'_@#%€$£+='.includes(next);
}

/** Emphasis as people type it: `*0612345678*`. */
function isMarkup(text: string, at: number): boolean {
  return text.charAt(at) === '*' && !/[*\p{L}\p{N}•]/u.test(text.charAt(at - 1));
}

/** `4111…/details` goes on, `4111…/ exp. 09/27` does not; neither does a full stop before the next sentence. */
function isPathOn(text: string, at: number): boolean {
  return text.charAt(at) === '/' && isLetterAt(text, at + 1);
}

/** An equals sign that gives a parameter of a web address its value. */
function isQuery(text: string, at: number): boolean {
  const name = /[?&][\w.[\]-]{0,40}$/.exec(text.slice(Math.max(0, at - 42), at));
  return name !== null;
}
