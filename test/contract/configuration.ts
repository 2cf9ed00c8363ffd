/** Variables the decisions name. */
export const VARIABLES: readonly string[] = [
  'NODE_ENV',
  'ROLE',
  'PORT',
  'APP_URL',
  'TRUST_PROXY',
  'DATABASE_URL',
  'REDIS_URL',
  'DATA_DIR',
  'ARCHIVE_DIR',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'ADMIN_EMAIL',
  'ALLOW_REGISTRATION',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'GOOGLE_AUTH_URL',
  'GOOGLE_TOKEN_URL',
  'GOOGLE_REVOKE_URL',
  'GMAIL_ROOT_URL',
  'PROVIDER_QUOTA_PRESET',
  'PROVIDER_UNITS_PER_SECOND',
  'PROVIDER_UNITS_PER_MINUTE',
  'PROVIDER_UNIT_COSTS',
  'MAX_UPLOAD_BYTES',
  'EGRESS_PRIVATE_NETWORKS',
  'METRICS_TOKEN',
  'RATE_LIMIT_PER_MINUTE',
  'RATE_LIMIT_AUTH_PER_MINUTE',
  'SANDBOX',
  'SANDBOX_MESSAGES',
  'SANDBOX_MAIL_DIR',
  'LOG_LEVEL',
];

/** Defaults the contract and its decisions give, by their place in the service's configuration. */
export const CONFIGURATION_DEFAULTS = {
  role: 'all',
  storage: { maxUploadBytes: 50 * 1024 ** 3 },
  registration: { open: true },
  provider: { unitsPerSecond: 250, unitsPerMinute: 15_000 },
  limits: { requestsPerMinute: 1_200, authRequestsPerMinute: 30 },
} as const;

/** What a preset changes. */
export const PRESETS: Readonly<Record<string, { unitsPerSecond: number; unitsPerMinute: number }>> = {
  gmail: { unitsPerSecond: 250, unitsPerMinute: 15_000 },
  'gmail-2026': { unitsPerSecond: 250, unitsPerMinute: 6_000 },
};

/** Private addresses: refused in production, allowed elsewhere. */
export const PRIVATE_NETWORKS = { production: false, development: true };
