const BOX_SIDES = ['top', 'right', 'bottom', 'left'];

function sides(property: string, ...suffixes: string[]): string[] {
  return BOX_SIDES.flatMap((side) =>
    suffixes.length === 0
      ? [`${property}-${side}`]
      : suffixes.map((suffix) => `${property}-${side}${suffix && `-${suffix}`}`),
  );
}

/**
 * Properties that a message may set. These are not among them: properties that take it out of its place (`position`, `inset`, `z-index`,
 * `transform`), run or load something (`behavior`, `-moz-binding`, `content`, `cursor`, `filter`, `mask`), or
 * move (`animation`, `transition`).
 */
export const ALLOWED_PROPERTIES: ReadonlySet<string> = new Set([
  ...'background background-color background-image background-position background-repeat background-size'.split(
    ' ',
  ),
  ...'background-clip background-origin color opacity visibility display float clear vertical-align'.split(
    ' ',
  ),
  ...'width height min-width min-height max-width max-height box-sizing aspect-ratio'.split(' '),
  ...'overflow overflow-x overflow-y overflow-wrap word-wrap word-break white-space line-break hyphens'.split(
    ' ',
  ),
  ...'font font-family font-size font-style font-variant font-weight font-stretch line-height'.split(' '),
  ...'text-align text-align-last text-decoration text-decoration-line text-decoration-color'.split(' '),
  ...'text-decoration-style text-indent text-overflow text-shadow text-transform'.split(' '),
  ...'letter-spacing word-spacing direction unicode-bidi writing-mode tab-size'.split(' '),
  ...'border border-color border-style border-width border-radius border-collapse border-spacing'.split(' '),
  ...'border-top-left-radius border-top-right-radius border-bottom-left-radius'.split(' '),
  ...'border-bottom-right-radius outline outline-color outline-style outline-width box-shadow'.split(' '),
  ...sides('border', '', 'color', 'style', 'width'),
  ...['margin', 'padding', ...sides('margin'), ...sides('padding')],
  ...'list-style list-style-type list-style-position list-style-image'.split(' '),
  ...'table-layout caption-side empty-cells object-fit page-break-after page-break-before'.split(' '),
  ...'page-break-inside flex flex-basis flex-direction flex-flow flex-grow flex-shrink flex-wrap'.split(' '),
  ...'align-content align-items align-self justify-content justify-items justify-self order'.split(' '),
  ...'gap row-gap column-gap columns column-count column-width orphans widows'.split(' '),
]);

/** Properties that may show an image. */
export const IMAGE_PROPERTIES: ReadonlySet<string> = new Set([
  'background',
  'background-image',
  'list-style',
  'list-style-image',
]);

/** Properties whose values must not be negative: they could lay one element over another, or out of sight. */
export const MEASURED_FORWARD = /^(?:margin|text-indent$|letter-spacing$|word-spacing$)/;
