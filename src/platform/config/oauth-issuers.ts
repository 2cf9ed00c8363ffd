import type { OAuthIssuerConfig } from './app-config';
import type { Environment } from './environment';

const IDENTITY = ['openid', 'email', 'profile'];
const MICROSOFT_IMAP = 'https://outlook.office.com/IMAP.AccessAsUser.All';
const GOOGLE_MAIL = 'https://mail.google.com/';

function serverOf(setting: string): { imapHost: string; imapPort: number } {
  const at = setting.lastIndexOf(':');
  return { imapHost: setting.slice(0, at), imapPort: Number(setting.slice(at + 1)) };
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Microsoft's endpoints for personal and work accounts (Microsoft identity platform, v2.0). */
function microsoft(env: Environment): OAuthIssuerConfig[] {
  if (!env.MICROSOFT_CLIENT_ID) return [];
  const login = withoutSlash(env.MICROSOFT_LOGIN_URL ?? 'https://login.microsoftonline.com');
  const base = `${login}/${env.MICROSOFT_TENANT ?? 'common'}/oauth2/v2.0`;
  return [
    {
      id: 'microsoft',
      name: 'Outlook',
      clientId: env.MICROSOFT_CLIENT_ID,
      clientSecret: env.MICROSOFT_CLIENT_SECRET ?? null,
      authUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      deviceUrl: `${base}/devicecode`,
      revokeUrl: null,
      scopes: [...IDENTITY, 'offline_access', MICROSOFT_IMAP],
      requiredScopes: [MICROSOFT_IMAP],
      extraParameters: { prompt: 'select_account' },
      ...serverOf(env.MICROSOFT_IMAP_SERVER ?? 'outlook.office365.com:993'),
    },
  ];
}

/** Google's endpoints for IMAP, for installations that prefer it to the Gmail API. */
function google(env: Environment): OAuthIssuerConfig[] {
  if (!env.GOOGLE_IMAP || !env.GOOGLE_CLIENT_ID) return [];
  return [
    {
      id: 'google',
      name: 'Gmail',
      clientId: env.GOOGLE_CLIENT_ID,
      clientSecret: env.GOOGLE_CLIENT_SECRET ?? null,
      authUrl: env.GOOGLE_AUTH_URL ?? 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: env.GOOGLE_TOKEN_URL ?? 'https://oauth2.googleapis.com/token',
      // Google's device flow does not grant access to mail.
      deviceUrl: null,
      revokeUrl: env.GOOGLE_REVOKE_URL ?? 'https://oauth2.googleapis.com/revoke',
      scopes: ['openid', 'email', GOOGLE_MAIL],
      requiredScopes: [GOOGLE_MAIL],
      // A refresh token is only given offline and with a consent screen.
      extraParameters: { access_type: 'offline', prompt: 'consent' },
      ...serverOf(env.GOOGLE_IMAP_SERVER ?? 'imap.gmail.com:993'),
    },
  ];
}

/** Yahoo's endpoints, whose client needs Yahoo's approval for mail. */
function yahoo(env: Environment): OAuthIssuerConfig[] {
  if (!env.YAHOO_CLIENT_ID) return [];
  const base = withoutSlash(env.YAHOO_LOGIN_URL ?? 'https://api.login.yahoo.com/oauth2');
  return [
    {
      id: 'yahoo',
      name: 'Yahoo',
      clientId: env.YAHOO_CLIENT_ID,
      clientSecret: env.YAHOO_CLIENT_SECRET ?? null,
      authUrl: `${base}/request_auth`,
      tokenUrl: `${base}/get_token`,
      deviceUrl: null,
      revokeUrl: null,
      scopes: ['openid', 'email', 'mail-r', 'mail-w'],
      requiredScopes: [],
      extraParameters: {},
      ...serverOf(env.YAHOO_IMAP_SERVER ?? 'imap.mail.yahoo.com:993'),
    },
  ];
}

/** The issuers of grants for IMAP that the environment has a client for. */
export const oauthIssuersOf = (env: Environment): OAuthIssuerConfig[] => [
  ...microsoft(env),
  ...google(env),
  ...yahoo(env),
];
