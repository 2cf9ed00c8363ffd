/** Texts that are loaded with the page that shows them, each by its name. */
export const pages = {
  signIn: () => import('./signIn'),
  mailboxes: () => import('./mailboxes'),
  mailbox: () => import('./mailbox'),
  archive: () => import('./archive'),
  overviewDetails: () => import('./overviewDetails'),
  suggestions: () => import('./suggestions'),
  charts: () => import('./charts'),
  space: () => import('./space'),
  keep: () => import('./keep'),
  rules: () => import('./rules'),
  newsletters: () => import('./newsletters'),
  retention: () => import('./retention'),
  privacy: () => import('./privacy'),
  notifications: () => import('./notifications'),
  audit: () => import('./audit'),
  admin: () => import('./admin'),
} as const;
