const list = (names: string): ReadonlySet<string> => new Set(names.split(' '));

/** Elements that may stand in the result. None of them runs or loads anything, or has content that is not HTML. */
export const ALLOWED_ELEMENTS = list(
  'a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del details dfn ' +
    'div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hgroup hr i img ins kbd li main mark menu ' +
    'nav ol p pre q s samp section small span strike strong sub summary sup table tbody td tfoot th thead time tr tt ' +
    'u ul var wbr',
);

/** Allowed elements that have no content. */
export const VOID_ELEMENTS = list('br col hr img wbr');

/**
 * Elements that are dropped with all their content: it is no text for a reader, or parsers read it by other rules than
 * those of HTML, so that markup could hide in it.
 */
export const DROPPED_WITH_CONTENT = list(
  'script style title textarea xmp iframe noembed noframes noscript plaintext template svg math select option ' +
    'optgroup datalist listing object applet embed frameset',
);

/** Dropped elements that never have content. */
export const DROPPED_EMPTY = list('embed');

/** Elements of foreign content, in which alone `/>` closes an element. */
export const FOREIGN_ELEMENTS = list('svg math');

/**
 * Elements that end foreign content that was not closed (HTML, "the rules for parsing tokens in foreign content").
 */
export const BREAKS_OUT = list(
  'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta ' +
    'nobr ol p pre ruby s small span strong strike sub sup table tt u ul var',
);

/** Elements of foreign content that may contain HTML. */
export const INTEGRATION_POINTS = list('foreignobject desc title mi mo mn ms mtext annotation-xml');

const TABLE_CELLS = ['td', 'th', 'caption'];
const IN_TABLE = list('tr td th tbody thead tfoot caption colgroup table');
/** Elements whose text goes on with what is before and after them. */
export const IN_LINE = list(
  'a abbr b bdi bdo big cite code del dfn em font i ins kbd mark q s samp small span strike strong sub sup time tt u var wbr',
);
const BLOCKS = list(
  'address article aside blockquote center details div dl figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr ' +
    'main menu nav ol p pre section summary table ul li dd dt',
);

/** Elements that an opening tag closes without an end tag, and elements that such closing does not cross. */
export interface ImpliedEnd {
  readonly closes: ReadonlySet<string>;
  readonly within: ReadonlySet<string>;
}

const CELL_BOUNDARIES = new Set(['table', ...TABLE_CELLS]);
const IMPLIED_ENDS: Readonly<Record<string, ImpliedEnd>> = {
  li: { closes: list('li'), within: new Set([...CELL_BOUNDARIES, 'ul', 'ol', 'menu']) },
  dt: { closes: list('dt dd'), within: new Set([...CELL_BOUNDARIES, 'dl']) },
  dd: { closes: list('dt dd'), within: new Set([...CELL_BOUNDARIES, 'dl']) },
  td: { closes: list('td th'), within: list('tr table') },
  th: { closes: list('td th'), within: list('tr table') },
  tr: { closes: list('tr td th caption colgroup'), within: list('table') },
  tbody: { closes: list('tbody thead tfoot tr td th caption colgroup'), within: list('table') },
  thead: { closes: list('tbody thead tfoot tr td th caption colgroup'), within: list('table') },
  tfoot: { closes: list('tbody thead tfoot tr td th caption colgroup'), within: list('table') },
  a: { closes: list('a'), within: CELL_BOUNDARIES },
};
const BEFORE_BLOCKS: ImpliedEnd = { closes: list('p'), within: CELL_BOUNDARIES };

/** Elements that the start tag of `name` closes, as their end tags were left out (HTML, "optional tags"), where that is visible. */
export function impliedEnds(name: string): readonly ImpliedEnd[] {
  const own = Object.hasOwn(IMPLIED_ENDS, name) ? [IMPLIED_ENDS[name] as ImpliedEnd] : [];
  return BLOCKS.has(name) ? [...own, BEFORE_BLOCKS] : own;
}

/**
 * Whether the end tag of `name` may close elements across an open `boundary`: only parts of tables reach out of cells.
 */
export function reachesAcross(name: string, boundary: string): boolean {
  return IN_TABLE.has(name) || !CELL_BOUNDARIES.has(boundary);
}
