const BLOCKS = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE CENTER DD DIV DL DT FIGURE FOOTER H1 H2 H3 H4 H5 H6 HEADER LI MAIN NAV OL P PRE SECTION TABLE TR UL'.split(
    ' ',
  ),
);
const NOT_SHOWN = new Set(['STYLE', 'SCRIPT', 'TITLE', 'TEMPLATE']);

/**
 * The text of a document as it reads without its looks; where links lead stands behind them. The document is parsed and
 * never shown: nothing of it is loaded or run.
 */
export function plainText(html: string): string {
  const pieces: string[] = [];
  read(new DOMParser().parseFromString(html, 'text/html').body, pieces, false);
  return pieces
    .join('')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

function read(node: Node, pieces: string[], isKept: boolean): void {
  if (node instanceof Text) {
    pieces.push(isKept ? node.data : node.data.replace(/\s+/g, ' '));
    return;
  }
  if (!(node instanceof Element) || NOT_SHOWN.has(node.tagName)) return;
  if (node.tagName === 'BR') pieces.push('\n');
  if (node instanceof HTMLImageElement && node.alt !== '') pieces.push(`[${node.alt}]`);
  const isBlock = BLOCKS.has(node.tagName);
  if (isBlock) pieces.push('\n');
  const keeps = isKept || node.tagName === 'PRE' || node.classList.contains('mailroom-text');
  for (const child of node.childNodes) read(child, pieces, keeps);
  if (node instanceof HTMLAnchorElement) {
    const href = node.getAttribute('href') ?? '';
    if (href !== '' && href !== node.textContent) pieces.push(` <${href}>`);
  }
  if (node.tagName === 'TD' || node.tagName === 'TH') pieces.push(' ');
  if (isBlock) pieces.push('\n');
}
