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
export const HEX_COLOR = /^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/;
