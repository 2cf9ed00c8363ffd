const COLOUR = /^(?:#?[0-9a-f]{3,8}|[a-z]{3,30})$/i;
const LENGTH = /^\d{1,5}(?:\.\d{1,4})?(?:%|px)?$/i;
const COUNT = /^\d{1,4}$/;
const WORD = /^[a-z-]{1,30}$/i;
const FLAG = /^.{0,30}$/s;
const TEXT = /^[^\0]*$/;
const ALIGN = /^(?:left|right|center|justify|top|middle|bottom|baseline|absmiddle|texttop)$/i;

interface Rule {
  /** Elements that may have the attribute; undefined: every element. */
  readonly on?: readonly string[];
  readonly value: RegExp;
}

const TABLES = ['table', 'thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'col', 'colgroup', 'caption'];

/**
 * Attributes whose value is kept unchanged when it has the right form. Attributes that need more (`style`,
 * `class`, `id`, `href`, `src`, `background`) are not among them.
 */
const RULES: Readonly<Record<string, Rule>> = {
  align: { value: ALIGN },
  valign: { on: TABLES, value: ALIGN },
  bgcolor: { on: TABLES, value: COLOUR },
  border: { on: ['table', 'img'], value: LENGTH },
  cellpadding: { on: ['table'], value: LENGTH },
  cellspacing: { on: ['table'], value: LENGTH },
  width: { on: [...TABLES, 'img', 'hr'], value: LENGTH },
  height: { on: [...TABLES, 'img'], value: LENGTH },
  hspace: { on: ['img'], value: LENGTH },
  vspace: { on: ['img'], value: LENGTH },
  colspan: { on: ['td', 'th'], value: COUNT },
  rowspan: { on: ['td', 'th'], value: COUNT },
  span: { on: ['col', 'colgroup'], value: COUNT },
  nowrap: { on: ['td', 'th'], value: FLAG },
  scope: { on: ['td', 'th'], value: WORD },
  rules: { on: ['table'], value: WORD },
  frame: { on: ['table'], value: WORD },
  color: { on: ['font', 'hr'], value: COLOUR },
  face: { on: ['font'], value: /^[\p{L}\p{N} ,.'"_-]{1,200}$/u },
  size: { on: ['font', 'hr'], value: /^[+-]?\d{1,3}$/ },
  noshade: { on: ['hr'], value: FLAG },
  clear: { on: ['br'], value: WORD },
  start: { on: ['ol'], value: /^-?\d{1,6}$/ },
  value: { on: ['li'], value: /^-?\d{1,6}$/ },
  reversed: { on: ['ol'], value: FLAG },
  type: { on: ['ol', 'ul', 'li'], value: /^(?:[1aAiI]|disc|circle|square)$/ },
  open: { on: ['details'], value: FLAG },
  datetime: { on: ['time', 'del', 'ins'], value: /^[\w:.+ -]{1,40}$/ },
  dir: { value: /^(?:ltr|rtl|auto)$/i },
  lang: { value: /^[a-z0-9-]{1,35}$/i },
  title: { value: TEXT },
  alt: { on: ['img'], value: TEXT },
  role: { value: /^(?:presentation|none|img|heading|separator|list|listitem|article)$/i },
  'aria-hidden': { value: /^(?:true|false)$/i },
  'aria-label': { value: TEXT },
};

const MAX_VALUE = 2_000;

/** A colour of an attribute in the form of CSS; null when it is none. */
export function colourOf(value: string | undefined): string | null {
  const colour = value?.trim() ?? '';
  if (!COLOUR.test(colour)) return null;
  return /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i.test(colour) ? `#${colour}` : colour;
}

/** Names of all attributes that may stand in the result. */
export const ALLOWED_ATTRIBUTES: readonly string[] = [
  ...Object.keys(RULES),
  ...['style', 'class', 'id', 'href', 'rel', 'target', 'src'],
];

/** Names of all attributes that the renderer reads. */
export const READ_ATTRIBUTES: ReadonlySet<string> = new Set([
  ...ALLOWED_ATTRIBUTES,
  ...['srcset', 'background', 'poster', 'data', 'text', 'hidden'],
]);

/** The attributes of an element that are kept without a change. */
export function plainAttributes(
  name: string,
  attributes: ReadonlyMap<string, string>,
): (readonly [string, string])[] {
  return [...attributes].flatMap(([attribute, raw]) => {
    const rule = Object.hasOwn(RULES, attribute) ? RULES[attribute] : undefined;
    if (!rule || (rule.on && !rule.on.includes(name))) return [];
    const value = raw.trim();
    return value.length <= MAX_VALUE && rule.value.test(value) ? [[attribute, value] as const] : [];
  });
}
