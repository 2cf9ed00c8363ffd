import { ROUTES } from './index';

/** What a route answers the same with, given and left out: the defaults of its query. */
export function queryDefaults(): { name: string; defaults: Record<string, string> }[] {
  return Object.entries(ROUTES).flatMap(([name, { query = {} }]) => {
    const defaults = Object.entries(query)
      .filter(([, asked]) => asked.default !== undefined)
      .map(([field, asked]) => [field, String(asked.default)] as const);
    return name.startsWith('GET') && defaults.length > 0
      ? [{ name, defaults: Object.fromEntries(defaults) }]
      : [];
  });
}

/** What somebody has who has just registered. */
export const NEW_USER = {
  is_active: true,
  max_mailbox_accounts: 5,
  storage_quota_bytes: 5 * 1024 ** 3,
  totp_enabled: false,
  name: null,
};

/** Seconds an access token is good for. */
export const ACCESS_TOKEN_SECONDS = 900;
