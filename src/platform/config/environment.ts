import { Transform, Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsString,
  IsUrl,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateIf,
} from 'class-validator';

const HTTP_URL = { protocols: ['http', 'https'], require_tld: false, require_protocol: true };
/** A host and its port. */
const IMAP_SERVER = /^[\w.-]+:\d{1,5}$/;
/** A host name in lower or upper case, without a dot at its end. */
const DOMAIN = /^(?=.{1,253}$)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/i;
/** Names of languages of tesseract, e.g. `eng+chi_sim`. */
const OCR_LANGUAGES = /^[a-z]\w{1,30}(\+[a-z]\w{1,30}){0,9}$/i;
const toBoolean = ({ value }: { value: unknown }): unknown =>
  value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value;

const present = (...values: readonly unknown[]): boolean => values.some((value) => value !== undefined);

/**
 * Every environment variable the service reads, with its rule. Absent means the default applies
 * (see `load-config.ts`); `.env.example` explains each to operators and a spec keeps the two in step.
 */
export class Environment {
  @IsOptional() @IsIn(['development', 'test', 'production']) NODE_ENV?: 'development' | 'test' | 'production';
  @IsOptional() @IsIn(['all', 'api', 'worker']) ROLE?: 'all' | 'api' | 'worker';
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(65535) PORT?: number;
  @IsOptional() @IsString() HOST?: string;
  @IsOptional() @IsUrl(HTTP_URL) APP_URL?: string;
  @IsOptional() @IsString() TRUST_PROXY?: string;

  @IsOptional() @Matches(/^postgres(ql)?:\/\//) DATABASE_URL?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(2) @Max(200) DATABASE_POOL_SIZE?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(199) DATABASE_CONNECTIONS_PER_USER?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(120) DATABASE_LIST_SECONDS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(120) DATABASE_READ_SECONDS?: number;
  @IsOptional() @Matches(/^rediss?:\/\//) REDIS_URL?: string;
  @IsOptional() @Matches(/^[\w:-]{1,40}$/) REDIS_PREFIX?: string;
  @IsOptional() @IsString() DATA_DIR?: string;
  @IsOptional() @IsString() ARCHIVE_DIR?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(8_760) ORPHAN_GRACE_HOURS?: number;

  @ValidateIf((env: Environment) => env.NODE_ENV === 'production' || env.JWT_SECRET !== undefined)
  @IsString()
  @MinLength(32)
  JWT_SECRET?: string;

  /** 32 bytes as base64 or hex. */
  @ValidateIf((env: Environment) => env.NODE_ENV === 'production' || env.ENCRYPTION_KEY !== undefined)
  @Matches(/^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$/)
  ENCRYPTION_KEY?: string;

  @IsOptional() @IsString() ADMIN_EMAIL?: string;
  @IsOptional() @Transform(toBoolean) @IsBoolean() ALLOW_REGISTRATION?: boolean;

  @ValidateIf((env: Environment) => present(env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET))
  @IsUrl(HTTP_URL)
  @MaxLength(512)
  OIDC_ISSUER?: string;

  @ValidateIf((env: Environment) => present(env.OIDC_ISSUER, env.OIDC_CLIENT_ID, env.OIDC_CLIENT_SECRET))
  @IsString()
  OIDC_CLIENT_ID?: string;

  @IsOptional() @IsString() OIDC_CLIENT_SECRET?: string;
  @IsOptional() @IsString() @MaxLength(60) OIDC_NAME?: string;
  @IsOptional() @Transform(toBoolean) @IsBoolean() OIDC_REGISTRATION?: boolean;

  @IsOptional() @IsString() GOOGLE_CLIENT_ID?: string;
  @ValidateIf((env: Environment) => Boolean(env.GOOGLE_CLIENT_ID)) @IsString() GOOGLE_CLIENT_SECRET?: string;
  @IsOptional() @IsUrl(HTTP_URL) GOOGLE_AUTH_URL?: string;
  @IsOptional() @IsUrl(HTTP_URL) GOOGLE_TOKEN_URL?: string;
  @IsOptional() @IsUrl(HTTP_URL) GOOGLE_REVOKE_URL?: string;
  @IsOptional() @IsUrl(HTTP_URL) GMAIL_ROOT_URL?: string;
  @IsOptional() @Transform(toBoolean) @IsBoolean() GOOGLE_IMAP?: boolean;
  @IsOptional() @Matches(IMAP_SERVER) GOOGLE_IMAP_SERVER?: string;
  @IsOptional() @IsString() MICROSOFT_CLIENT_ID?: string;
  @IsOptional() @IsString() MICROSOFT_CLIENT_SECRET?: string;
  @IsOptional() @Matches(/^[\w.-]{1,100}$/) MICROSOFT_TENANT?: string;
  @IsOptional() @IsUrl(HTTP_URL) MICROSOFT_LOGIN_URL?: string;
  @IsOptional() @Matches(IMAP_SERVER) MICROSOFT_IMAP_SERVER?: string;
  @IsOptional() @IsString() YAHOO_CLIENT_ID?: string;
  @IsOptional() @IsString() YAHOO_CLIENT_SECRET?: string;
  @IsOptional() @IsUrl(HTTP_URL) YAHOO_LOGIN_URL?: string;
  @IsOptional() @Matches(IMAP_SERVER) YAHOO_IMAP_SERVER?: string;

  @IsOptional() @IsIn(['gmail', 'gmail-2026']) PROVIDER_QUOTA_PRESET?: 'gmail' | 'gmail-2026';
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) PROVIDER_UNITS_PER_SECOND?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) PROVIDER_UNITS_PER_MINUTE?: number;
  @IsOptional() @Matches(/^\s*[\w.]+=\d+(\s*,\s*[\w.]+=\d+)*\s*$/) PROVIDER_UNIT_COSTS?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) PROVIDER_CONCURRENCY?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) PROVIDER_CONCURRENCY_MAX?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) IMAP_UNITS_PER_SECOND?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) IMAP_UNITS_PER_MINUTE?: number;
  @IsOptional() @Matches(/^\s*[A-Z]+=\d+(\s*,\s*[A-Z]+=\d+)*\s*$/) IMAP_UNIT_COSTS?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) IMAP_CONCURRENCY?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) IMAP_CONCURRENCY_MAX?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(2_000) IMAP_WATCHES?: number;

  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(65535) SMTP_JOURNAL_PORT?: number;
  @IsOptional() @IsString() SMTP_JOURNAL_HOST?: string;
  @ValidateIf((env: Environment) => env.SMTP_JOURNAL_PORT !== undefined)
  @Matches(DOMAIN)
  SMTP_JOURNAL_DOMAIN?: string;
  @ValidateIf((env: Environment) => env.SMTP_JOURNAL_PORT !== undefined)
  @IsString()
  SMTP_JOURNAL_ALLOWED_NETWORKS?: string;
  @IsOptional() @IsString() SMTP_JOURNAL_TLS_CERT?: string;
  @IsOptional() @IsString() SMTP_JOURNAL_TLS_KEY?: string;
  @IsOptional() @Transform(toBoolean) @IsBoolean() SMTP_JOURNAL_REQUIRE_TLS?: boolean;
  // Mail servers hand on no larger messages.
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(65_536)
  @Max(157_286_400)
  SMTP_JOURNAL_MAX_MESSAGE_BYTES?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(1_000) SMTP_JOURNAL_MAX_CONNECTIONS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(65_536) SMTP_JOURNAL_MAX_BYTES_IN_FLIGHT?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(600) SMTP_JOURNAL_IDLE_SECONDS?: number;

  @IsOptional() @Type(() => Number) @IsInt() @Min(1) MAX_UPLOAD_BYTES?: number;
  @IsOptional() @Matches(/^\/./) IMPORT_WATCH_DIR?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(86_400) IMPORT_WATCH_SETTLE_SECONDS?: number;
  @IsOptional() @IsIn(['allow', 'deny']) EGRESS_PRIVATE_NETWORKS?: 'allow' | 'deny';
  @IsOptional() @IsString() EGRESS_DNS_SERVERS?: string;
  @IsOptional() @Matches(/^https:\/\/[^\s?#]+$/) IMAP_AUTOCONFIG_DATABASE?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(3600) OBJECT_STORE_PATIENCE_SECONDS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(10_080) BACKUP_STORE_MINUTES?: number;
  @IsOptional() @IsString() @MinLength(16) METRICS_TOKEN?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(10_000) MAX_OPEN_JOBS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(3_650) JOB_CONTENT_DAYS?: number;
  // The weekly report counts the jobs of its week.
  @IsOptional() @Type(() => Number) @IsInt() @Min(14) @Max(36_500) JOB_HISTORY_DAYS?: number;
  @IsOptional() @Transform(toBoolean) @IsBoolean() JOBS_YIELD?: boolean;
  @IsOptional() @Transform(toBoolean) @IsBoolean() READ_ATTACHMENTS?: boolean;
  @IsOptional() @Matches(OCR_LANGUAGES) OCR_LANGUAGES?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(1_000) INDEX_CHECK_MAILS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) RATE_LIMIT_PER_MINUTE?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) RATE_LIMIT_AUTH_PER_MINUTE?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(64) WORKER_THREADS?: number;

  @IsOptional() @Transform(toBoolean) @IsBoolean() SANDBOX?: boolean;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(200_000) SANDBOX_MESSAGES?: number;
  @IsOptional() @IsString() SANDBOX_MAIL_DIR?: string;
  @IsOptional() @Type(() => Number) @IsInt() @Min(0) @Max(65535) SANDBOX_PORT?: number;
  @IsOptional() @Type(() => Number) @IsNumber() @Min(0) @Max(60_000) SANDBOX_LATENCY_MS?: number;
  @IsOptional() @Type(() => Number) @IsInt() @Min(1) SANDBOX_UNITS_PER_SECOND?: number;

  @IsOptional()
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
}
