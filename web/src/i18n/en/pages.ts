/** Texts that are loaded with the page that shows them, each by its name. */
export const pages = {
  keep: () => import('./keep'),
  rules: () => import('./rules'),
  newsletters: () => import('./newsletters'),
  retention: () => import('./retention'),
} as const;
