const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
/** Characters that HTML cannot contain, or that have no meaning in it. */
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]/g;

/** Text escaped for HTML, between tags and in quoted attributes alike. */
export function escapeHtml(text: string): string {
  return text.replace(CONTROLS, '').replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
