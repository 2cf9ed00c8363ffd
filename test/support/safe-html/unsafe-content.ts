import { Parser } from 'htmlparser2';

const list = (names: string): Set<string> => new Set(names.split(' '));

/** Written down here once more: what a test checks is not to change with the code it checks. */
const ELEMENTS = list(
  'html head meta title style body a abbr address article aside b bdi bdo big blockquote br caption center cite code ' +
    'col colgroup dd del details dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i ' +
    'img ins kbd li main mark menu nav ol p pre q s samp section small span strike strong sub summary sup table tbody ' +
    'td tfoot th thead time tr tt u ul var wbr',
);
const ATTRIBUTES = list(
  'style class id href rel target src align valign bgcolor border cellpadding cellspacing width height hspace vspace ' +
    'colspan rowspan span nowrap scope rules frame color face size noshade clear start value reversed type open ' +
    'datetime dir lang title alt role aria-hidden aria-label',
);
const META = [
  'charset=utf-8',
  `content=default-src 'none'; img-src data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none' http-equiv=Content-Security-Policy`,
  'content=no-referrer name=referrer',
  'content=width=device-width, initial-scale=1 name=viewport',
];
const OWN_NAMES = /^(?:m\d+-[\w-]+|mailroom-(?:part|text|heading|image|leads|notice|part-\d+|body-\d+))$/;
const LINK = /^(?:https?:\/\/|mailto:|tel:)/;
const RASTER = /^data:image\/(?:png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/]+=*$/;
const CSS_FUNCTIONS = list(
  'rgb rgba hsl hsla calc min max clamp linear-gradient radial-gradient repeating-linear-gradient ' +
    'repeating-radial-gradient and not or only screen',
);

/** Everything in a safe document that must not be there, in words; read with a parser, not by what it looks like. */
export function unsafeContent(html: string): string[] {
  const found: string[] = [];
  const open: string[] = [];
  let styles = 0;
  const parser = new Parser({
    onopentag(name, attributes) {
      open.push(name);
      if (!ELEMENTS.has(name)) found.push(`<${name}>`);
      if (name === 'meta') checkMeta(attributes, found);
      else checkAttributes(name, attributes, found);
      if (name === 'style') styles++;
    },
    onclosetag() {
      open.pop();
    },
    ontext(text) {
      // The first style element is the document's own.
      if (open.at(-1) === 'style' && styles > 1) checkCss(text, found);
    },
    oncomment: (text) => found.push(`<!--${text}-->`),
    onprocessinginstruction: (name, text) => name !== '!doctype' && found.push(text),
    oncdatastart: () => found.push('CDATA'),
  });
  parser.end(html);
  return found;
}

function checkMeta(attributes: Record<string, string>, found: string[]): void {
  const written = Object.entries(attributes)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join(' ');
  if (!META.includes(written)) found.push(`<meta ${written}>`);
}

function checkAttributes(element: string, attributes: Record<string, string>, found: string[]): void {
  for (const [name, value] of Object.entries(attributes)) {
    const at = `<${element} ${name}="${value.slice(0, 100)}">`;
    if (!ATTRIBUTES.has(name)) found.push(at);
    if (name === 'style') checkCss(value, found);
    if (name === 'class' && !value.split(' ').every((word) => OWN_NAMES.test(word))) found.push(at);
    if (name === 'id' && !OWN_NAMES.test(value)) found.push(at);
    if (name === 'href' && (element !== 'a' || !LINK.test(value))) found.push(at);
    if (name === 'src' && (element !== 'img' || !RASTER.test(value))) found.push(at);
  }
  if ('href' in attributes) {
    const { rel, target } = attributes;
    if (rel !== 'noopener noreferrer nofollow' || target !== '_blank') found.push(`link ${rel} ${target}`);
  }
}

function checkCss(css: string, found: string[]): void {
  const withoutImages = css.replace(
    /url\("data:image\/(?:png|jpeg|gif|webp|bmp);base64,[A-Za-z0-9+/]+=*"\)/g,
    '',
  );
  for (const [whole, name = ''] of withoutImages.matchAll(/([\w-]*)\(/g)) {
    if (name !== '' && !CSS_FUNCTIONS.has(name.toLowerCase())) found.push(`css ${whole}`);
  }
  for (const [rule] of withoutImages.matchAll(/@[\w-]+/g)) if (rule !== '@media') found.push(`css ${rule}`);
  const forbidden =
    /\\|\/\*|<|:\/\/|(?:^|[;{\s])(?:position|top|left|right|bottom|inset|z-index|behavior|-moz-binding|content|filter|cursor|transform|animation)\s*:|margin[\w-]*:[^;}]*-\d|text-indent:\s*-/i.exec(
      withoutImages,
    );
  if (forbidden) found.push(`css ${forbidden[0]}`);
}
