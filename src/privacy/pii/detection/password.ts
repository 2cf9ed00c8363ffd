import { isWordAt } from '../../../platform/text/characters';
import type { ExcludedZones } from './excluded-zones';
import { isPassword, kindsOf } from './password-value';
import { passwordsBelow } from './password-table';
import type { PiiSpan } from './pii-match';

const KEYWORD =
  /pass ?words?|pass ?phrases?|passwd|pass ?codes?|mots?[ -]de[ -]passe|mdp|pwd|psw|code (?:pin|d['’]acc[èe]s|secret|confidentiel|wi-?fi|d['’]entr[ée]e|de la porte|porte)|(?:pin|access|entry|door|gate|security) code|cl[ée] (?:wi-?fi|wpa2?)|wi-?fi key|wpa2? key|otp|pin|pass|pw|credentials|identifiants(?: de connexion)?|kennwort|login/giu;
/** Words for codes that may consist of digits alone. */
const CODE = /code|pin|otp/i;
const FRENCH = /mot|mdp/i;
/** Endings such as `password_hash` and `password-file`, which name another value, unless they say whose password it is. */
const PROPERTY =
  /^[_.-](?!(?:prod|production|dev|test|staging|preprod|root|admin|user|app|db|main|new|old|default)(?!\p{L}))\p{L}{2,}/iu;
/** Text after the word in programs, as in `f('password', …)`, `pw->pw_uid`, `[:passwd]`. */
const IN_PROGRAM = /^(?:["'`]\s{0,3}[,)\]]|->\S|\])/;
/** Words that a user name and a password follow, rather than a password alone. */
const PAIR = /^(?:credentials|identifiants|login)/i;
/** Words that are so short or common that only a colon or an equals sign makes them announce a password. */
const WEAK = /^(?:pass|pw|pin|otp)$/i;

/** Most words of one text that are examined as announcing a password: no letter has more. */
const MAX_CANDIDATES = 5_000;
/**
 * Most characters between the word and the sign that joins it to its value: `for the server`, `(temporary)`, `du wifi`.
 */
const MAX_QUALIFIER = 60;
const JOINT =
  /(?:["'`*_]{0,3}\s{0,3}(?::=|=>|->|→|[:：]|(?<![<>!~=])=(?!=))\s{0,3}|\s(?:is(?: now| still)?|was|are|will be|est(?: désormais| maintenant| encore| donc| toujours| le| la)?|sera|était|c['’ ]est(?: désormais| maintenant)?|devient|reste|remains|became|(?:has been |was |been )?(?:set|changed|reset|updated) to|to|a été changé en|a été remplacé par)\s|['’]s\s|\s[-–—]\s|\t)/iu;
const MAX_BEFORE = 100;
const VALUE_BEFORE =
  /(?<!\S)(\S{6,64}) (?:\(|((?:as|comme) (?:(?:the|your|a|my|le|ton|votre|mon) )?(?:\p{L}{2,20} )?))$/u;
const STOP = /[\n?]|[.!;]\s/u;
const NOT_A_VALUE_OF_ITS_OWN =
  /(?<![\p{L}\p{N}])(?:reset|resets|resetting|r[ée]initialis\p{L}*|requirements?|polic(?:y|ies)|politique|rules?|r[èe]gles?|expir\p{L}*|hint|indice|manager|managers|gestionnaire|strength|force|length|longueur|size|taille|encryption|history|historique|attempts?|tentatives?|format|fields?|champ|questions?|support|protected|prot[ée]g[ée]\p{L}*|tips?|conseils?|errors?|erreur|recovery|r[ée]cup[ée]ration|hash|type|date|min|max|minimum|maximum|forgotten|oubli[ée]\p{L}*|perdu|lost|link|lien|help|aide|must|doit|should|devrait|can|peut|ne|not|never|jamais|days|sent|envoy[ée]|via|page|button|bouton|dialog|promo|coupon|discount|modifi[ée]|last|derni[èe]re|generator|g[ée]n[ée]rateur|need|want)(?![\p{L}\p{N}])/iu;
/** Phrases that announce a new password, e.g. `has been reset: …`. */
const DONE =
  /(?<!\p{L})(?:a été|has been|have been|was|vient d['’]être) (?:réinitialis\p{L}*|reset|changed|changé|modifié|updated)(?!\p{L})/giu;
const BEFORE_IS_OTHER =
  /(?:forgot(?:ten)?|forgetting|oubli[ée]r?|lost|perdu|reset(?:ting)?|r[ée]initialiser|choose|choisi\p{L}*|create|créer|créez|enter|entrez|saisi\p{L}*|confirm\p{L}*|share|partage\p{L}*|communiqu\p{L}*|never|jamais|change|changer|changez|modifier|modifiez|update|mettre à jour|without|sans|no|type|strong|weak)\s+(?:(?:your|the|a|an|my|their|new|strong|votre|ton|le|un|son|nouveau|this)\s+){0,3}$/iu;
const LOGIN =
  /(?<![\p{L}\p{N}])(?:log-?in|user(?: ?name)?|user id|identifiant|utilisateur|account|compte|e-?mail|id|nom d['’]utilisateur|ssid|r[ée]seau|network|courriel|pseudo|host|server|serveur|hôte|url|vpn|wi-?fi)(?![\p{L}\p{N}])\s{0,3}["']?\s{0,2}(?:[:=\t]|is |est )/iu;
const ADS = /promo|coupon|discount|réduction|remise|soldes|voucher|\boff\b|% /iu;

/** Passwords that a phrase or a label announces, in English or French. Each word that announces one is examined once. */
export function findPasswords(text: string, zones: ExcludedZones): PiiSpan[] {
  const found: PiiSpan[] = [];
  let done = 0;
  let candidates = 0;
  KEYWORD.lastIndex = 0;
  for (let match = KEYWORD.exec(text); match; match = KEYWORD.exec(text)) {
    const start = match.index;
    if (start < done || zones.has(start) || !isWholeWord(text, start, match[0])) continue;
    if (++candidates > MAX_CANDIDATES) break;
    const below = passwordsBelow(text, start, start + match[0].length);
    const after = PAIR.test(match[0]) ? pairAfter(text, match) : valueAfter(text, match);
    const span = after ?? valueBefore(text, match, done);
    const spans = below.length > 0 ? below : span ? [span] : [];
    if (spans.length === 0 || zones.isUrl(spans[0]!.start)) continue;
    found.push(...spans);
    done = spans.at(-1)!.end;
    KEYWORD.lastIndex = done;
  }
  return found;
}

/** Whether the word stands alone, or ends a name such as `db_password` or `userPassword`: settings disclose most passwords. */
function isWholeWord(text: string, start: number, word: string): boolean {
  const end = start + word.length;
  if (isWordAt(text, end) || (text.charAt(end) === '-' && isWordAt(text, end + 1))) return false;
  if (WEAK.test(word) && text.charAt(start - 1) === '-' && isWordAt(text, start - 2)) return false;
  if (!isWordAt(text, start - 1)) return true;
  if (/^PASSWORD$/.test(word)) return /[A-Z]/.test(text.charAt(start - 1)) && text.charAt(end) === '=';
  return /^P(?:ass|wd)/.test(word) && !WEAK.test(word) && /[a-z]/.test(text.charAt(start - 1));
}

function valueAfter(text: string, match: RegExpExecArray): PiiSpan | null {
  const start = match.index + match[0].length;
  const window = text.slice(start, start + MAX_QUALIFIER + 20);
  const stop = STOP.exec(window)?.index ?? window.length;
  const reach = window.slice(0, Math.min(stop + 1, window.length));
  if (PROPERTY.test(window) || IN_PROGRAM.test(window)) return null;
  const isCode = CODE.test(match[0]);
  const isFrench = FRENCH.test(match[0]);
  const isPass = /^pass$/i.test(match[0]);
  const isResult = match[0] === 'PASS' && text.charAt(start) === ':';
  if (text.charAt(match.index - 1) === '<') return elementAfter(text, match);
  let from = 0;
  for (let attempts = 0; attempts < 3; attempts++) {
    const joint = JOINT.exec(reach.slice(from));
    if (!joint || from + joint.index > MAX_QUALIFIER) break;
    const qualifier = reach.slice(0, from + joint.index).replace(DONE, ' ');
    if (NOT_A_VALUE_OF_ITS_OWN.test(qualifier)) return null;
    const isAssigned = /[:=：→>\t]/u.test(joint[0]);
    if (WEAK.test(match[0]) && !isAssigned && !/\s(?:is|est)(?: l[ea])?\s/.test(joint[0])) return null;
    // In `If all tests pass, deploy: …` the word is the verb.
    if (isPass && !/^\s*(?:wi-?fi|vpn|admin|root)?\s*$/i.test(qualifier)) return null;
    from += joint.index + joint[0].length;
    if (isPass && text.charAt(start + from - 1) === '\n') return null;
    const span = valueAt(text, start + from, { start: match.index, isAssigned, isCode, isFrench, isResult });
    if (span) return span;
    if (isAssigned && /[:=：]/u.test(joint[0])) return null;
  }
  return WEAK.test(match[0]) ? null : (bareAfter(text, match) ?? null);
}

interface Announcement {
  readonly start: number;
  readonly isAssigned: boolean;
  readonly isCode: boolean;
  readonly isFrench: boolean;
  /** Whether it is `PASS:`, which test runs write before successes. */
  readonly isResult: boolean;
}

/** The value of an element such as `<password>Abc123!</password>`; without the closing tag it is a label in brackets. */
function elementAfter(text: string, match: RegExpExecArray): PiiSpan | null {
  const start = match.index + match[0].length + 1;
  if (text.charAt(start - 1) !== '>') return null;
  const value = /^[^\s<>]{4,64}(?=<\/)/u.exec(text.slice(start, start + 66))?.[0];
  if (value === undefined) return null;
  const context = { rest: '', isAssigned: true, isQuoted: true, hasLogin: false, isCode: false };
  return kindsOf(value) >= 2 && isPassword(value, context) ? { start, end: start + value.length } : null;
}

function valueAt(text: string, position: number, announced: Announcement): PiiSpan | null {
  const start = skip(text, position, announced.isAssigned);
  const token = tokenAt(text, start);
  if (!token) return null;
  const around = text.slice(Math.max(0, announced.start - 160), announced.start);
  const before = around.slice(around.lastIndexOf('\n') + 1);
  const rest = text.slice(token.next, token.next + 60);
  const isPlain = kindsOf(token.value) < 2;
  if (isPlain && !token.isQuoted && BEFORE_IS_OTHER.test(before)) return null;
  if (ADS.test(before) || ADS.test(rest.split('\n', 1)[0]!)) return null;
  const hasLogin = LOGIN.test(around) || LOGIN.test(rest);
  if (announced.isResult && !hasLogin) return null;
  const isMember = text.charAt(announced.start - 1) === '.';
  if (isPlain && !token.isQuoted && /^[A-Za-z_]+$/.test(token.value)) {
    // These are names of a program: `self.password = password`, `connect(user=user, password=password)`.
    const joint = text.slice(announced.start, token.start);
    if (/=\s*$/.test(joint) && (isMember || /^password$/i.test(token.value) || /^[,)]/.test(rest)))
      return null;
  }
  const isOwn = isPassword(token.value, { rest, hasLogin, ...announced, isQuoted: token.isQuoted });
  return isOwn ? { start: token.start, end: token.end } : null;
}

/** The position after spaces, and after the end of a line when the label stands alone on it. */
function skip(text: string, position: number, isAssigned: boolean): number {
  let at = position;
  while (/[ \t\u00a0\u202f>]/.test(text.charAt(at))) at++;
  if (isAssigned && text.charAt(at) === '\n') {
    at++;
    while (at < position + 8 && /[\s\u00a0>]/.test(text.charAt(at))) at++;
  }
  return at;
}

interface Token extends PiiSpan {
  readonly value: string;
  readonly isQuoted: boolean;
  /** Position after the token. */
  readonly next: number;
}

const QUOTES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '`': '`',
  '«': '»',
  '“': '”',
  '‘': '’',
  '„': '“',
};
const MAX_TOKEN = 80;

/** The word at a position, without the marks around it, or a whole quotation. */
function tokenAt(text: string, position: number): Token | null {
  let start = position;
  while (start < position + 3 && /[*_]/.test(text.charAt(start)) && isWordAt(text, start + 1)) start++;
  const quote = QUOTES[text.charAt(start)];
  const window = text.slice(start, start + MAX_TOKEN);
  if (quote !== undefined) {
    const end = window.indexOf(quote, 1);
    const quoted = window.slice(1, end).replace(/^[\s\u00a0]+|[\s\u00a0]+$/g, '');
    if (end > 1 && !quoted.includes('\n')) {
      const from = start + 1 + window.slice(1, end).indexOf(quoted);
      return { value: quoted, start: from, end: from + quoted.length, isQuoted: true, next: start + end + 1 };
    }
  }
  const written = /^[^\s\u00a0"“”«»]{1,80}/u.exec(window)?.[0] ?? '';
  const bracketed = /^<([^\s<>]{6,64})>$/.exec(trimPunctuation(written))?.[1];
  // A placeholder has neither digits nor capitals in the middle.
  if (bracketed !== undefined && /\d/.test(bracketed) && kindsOf(bracketed) >= 3)
    return {
      value: bracketed,
      start: start + 1,
      end: start + 1 + bracketed.length,
      isQuoted: true,
      next: start + bracketed.length + 2,
    };
  const value = trimPunctuation(written);
  if (value === '' || written.length > 70) return null;
  return { value, start, end: start + value.length, isQuoted: false, next: start + value.length };
}

/** The word without the punctuation that ends a sentence or a list; `!` stays, as it may belong to the password. */
function trimPunctuation(written: string): string {
  let value = written.replace(/(?:[.,;:'’`]|\*{1,2}|_)+$/u, '');
  if (value.endsWith(')') && !value.includes('(')) value = value.slice(0, -1);
  if (value.endsWith('}') && !value.includes('{')) value = value.slice(0, -1);
  if (value.endsWith(']') && !value.includes('[')) value = value.slice(0, -1);
  const list = /^([^,;|]{4,})[,;|](?=\p{L}{2})/u.exec(value);
  if (list) value = list[1]!;
  return value.replace(/[.,;:]+$/, '');
}

/**
 * A value without a sign: `with the password Abc123!`, or a label alone on its line and a value alone on the next. Only if
 * it looks like a password.
 */
function bareAfter(text: string, match: RegExpExecArray): PiiSpan | null {
  const end = match.index + match[0].length;
  const gap =
    /^(?:[ \u00a0]{1,16}(?:(?:en|à|par|provisoire|temporaire|initial|actuel) (?=\S{6}))?|, (?=\S{6,64}[,.)])|[ \t]{0,2}\n\s{0,4})(?=\S)/u.exec(
      text.slice(end, end + 20),
    );
  if (!gap) return null;
  const token = tokenAt(text, end + gap[0].length);
  if (!token) return null;
  const isLabel = gap[0].includes('\n');
  const rest = text.slice(token.next, token.next + 60);
  if (isLabel && !/^[ \t]*(?:\n|$)/.test(rest)) return null;
  const { value } = token;
  const looksLikeOne = !/[;|]/.test(value) && /\d/.test(value) && /\p{L}/u.test(value) && kindsOf(value) >= 2;
  if (!looksLikeOne || value.length < 6 || /^\p{Ll}+-\d+$/u.test(value)) return null;
  const around = text.slice(Math.max(0, match.index - 160), match.index);
  const before = around.slice(around.lastIndexOf('\n') + 1);
  if (BEFORE_IS_OTHER.test(before) || ADS.test(before)) return null;
  const context = { rest, isAssigned: false, isQuoted: token.isQuoted, hasLogin: false, isCode: false };
  return isPassword(value, context) ? { start: token.start, end: token.end } : null;
}

/** A value before the word, if it looks like a password: `Use Abc123! as the password`, `Abc123! (password)`. */
function valueBefore(text: string, match: RegExpExecArray, done: number): PiiSpan | null {
  const from = Math.max(done, match.index - MAX_BEFORE);
  const before = VALUE_BEFORE.exec(text.slice(from, match.index));
  const isBracketed =
    text.charAt(match.index - 1) === '(' && text.charAt(match.index + match[0].length) === ')';
  if (!before || (!before[2] && !isBracketed)) return null;
  const start = from + before.index + before[0].indexOf(before[1]!);
  const token = tokenAt(text, start);
  if (!token || token.end >= match.index || token.value.length < 6) return null;
  const { value } = token;
  if (!/\d/.test(value) || !/\p{L}/u.test(value) || kindsOf(value) < 2) return null;
  const context = { rest: '', isAssigned: false, isQuoted: token.isQuoted, hasLogin: false, isCode: false };
  return isPassword(value, context) ? { start: token.start, end: token.end } : null;
}

/** The second of two words, if it looks like a password: `Credentials: demo / Abc123!`. */
function pairAfter(text: string, match: RegExpExecArray): PiiSpan | null {
  const start = match.index + match[0].length;
  const window = text.slice(start, start + 140);
  const pair = /^[^\n:=]{0,40}[:=]\s{0,3}([^\s/|,;:]{2,60})\s{0,2}[/|,;:]\s{0,2}(?!\s)(\S{4,64})/u.exec(
    window,
  );
  if (!pair || /:\/\//.test(pair[0])) return null;
  const at = start + pair[0].length - pair[2]!.length;
  const token = tokenAt(text, at);
  if (!token || !/\d/.test(token.value) || !/\p{L}/u.test(token.value)) return null;
  if (/[:=]/.test(token.value)) return null;
  const rest = text.slice(token.next, token.next + 60);
  if (/^\s*[:=]/.test(rest)) return null;
  const context = { rest, isAssigned: true, isQuoted: token.isQuoted, hasLogin: true, isCode: false };
  return isPassword(token.value, context) ? { start: token.start, end: token.end } : null;
}
