import type { pages as english } from '../en/pages';

/** Texts that are loaded with the page that shows them, as in `../en/pages`. */
export const pages = {
  signIn: () => import('./signIn'),
  singleSignOn: () => import('./singleSignOn'),
  mailboxes: () => import('./mailboxes'),
  settings: () => import('./settings'),
  security: () => import('./security'),
  apiKeys: () => import('./apiKeys'),
  storage: () => import('./storage'),
  webhooks: () => import('./webhooks'),
  mailbox: () => import('./mailbox'),
  trash: () => import('./trash'),
  archive: () => import('./archive'),
  labelNames: () => import('./labelNames'),
  overviewDetails: () => import('./overviewDetails'),
  suggestions: () => import('./suggestions'),
  charts: () => import('./charts'),
  insights: () => import('./insights'),
  space: () => import('./space'),
  savedSearches: () => import('./savedSearches'),
  keep: () => import('./keep'),
  restore: () => import('./restore'),
  rules: () => import('./rules'),
  newsletters: () => import('./newsletters'),
  retention: () => import('./retention'),
  privacy: () => import('./privacy'),
  notifications: () => import('./notifications'),
  notices: () => import('./notices'),
  jobFailures: () => import('./jobFailures'),
  audit: () => import('./audit'),
  imapImport: () => import('./imapImport'),
  exportForm: () => import('./exportForm'),
  keys: () => import('./keys'),
  admin: () => import('./admin'),
} as const satisfies {
  readonly [Name in keyof typeof english]: () => Promise<Readonly<Record<Name, unknown>>>;
};
