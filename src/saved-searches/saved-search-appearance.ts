/** The icons a client can draw. */
export const SAVED_SEARCH_ICONS = [
  'folder',
  'star',
  'mail',
  'attachment',
  'invoice',
  'alert',
  'archive',
  'calendar',
  'work',
  'shopping',
] as const;

/** `#rgb`, `#rrggbb` or `#rrggbbaa`. */
export const HEX_COLOR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;
