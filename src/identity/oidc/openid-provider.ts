import { Injectable } from '@nestjs/common';
import { Client, custom, errors, generators, Issuer, IssuerMetadata } from 'openid-client';
import { DomainError } from '../../platform/http/domain-error';
import { isEmailAddress } from '../../platform/validation/field-rules';
import { AppConfig } from '../../platform/config/app-config';
import { normalizeEmail } from '../users/user-fields';
import { OidcNotConfigured, OidcRefused, OidcUnavailable } from './oidc.errors';
import { OpenIdConnections } from './openid-connections';
import { delay as sleep } from '../../platform/concurrency/timers';

/** Timeouts of the OpenID provider and the lifetime of its metadata, milliseconds; tests inject shorter ones. */
@Injectable()
export class OidcTimings {
  /** Time until a response begins. */
  readonly responseMs: number = 5_000;
  /** Time for all requests of one sign-in. */
  readonly exchangeMs: number = 15_000;
  /**
   * Time for which the provider's metadata is cached. Its keys are read for every sign-in: they may change at any time.
   */
  readonly metadataMs: number = 60 * 60_000;
}

/** Claims as a provider sent them (OpenID Connect Core, section 5.1), of any type. */
export type Claims = Readonly<Record<string, unknown>>;

const LONGEST_NAME = 200;

/**
 * The address of a person that the provider has verified, normalised; null without one. `email_verified` must be
 * the boolean: some providers leave it out for addresses that anyone can claim.
 */
export function verifiedEmailOf({ email, email_verified: verified }: Claims): string | null {
  if (verified !== true || typeof email !== 'string') return null;
  const normalized = normalizeEmail(email);
  // Lower-casing turns the Kelvin sign into an ordinary k, and the address into another person's.
  if (countOfAscii(email.trim()) !== countOfAscii(normalized)) return null;
  return isEmailAddress(normalized) ? normalized : null;
}

const countOfAscii = (text: string): number => text.replace(/[^\p{ASCII}]/gu, '').length;

/** The name to show for a person: one line that can be stored; null without one. */
export function displayNameOf({ name }: Claims): string | null {
  if (typeof name !== 'string') return null;
  const printable = name.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').trim();
  return Array.from(printable).slice(0, LONGEST_NAME).join('').trim() || null;
}

const PASSING = new Set(['temporarily_unavailable', 'server_error']);

/** Node's codes of connections that failed: `ECONNREFUSED`, `EAI_AGAIN`, `CERT_HAS_EXPIRED`, `HPE_INVALID_CONSTANT`. */
const CONNECTION_FAILURE =
  /^(E[A-Z]+|EAI_[A-Z]+|CERT_\w+|\w*SELF_SIGNED_CERT\w*|UNABLE_TO_\w+|ERR_TLS_\w+|HPE_\w+|ERR_SSL_\w+)$/;

/**
 * The problem that an error of the OpenID library amounts to. Its errors carry tokens and texts of the provider: only
 * their names and codes go any further.
 */
export function toOidcError(error: unknown): DomainError {
  if (error instanceof DomainError) return error;
  const { name, message } = error as Error;
  if (error instanceof errors.OPError) {
    const status = error.response?.statusCode ?? 0;
    if (status >= 500 || PASSING.has(error.error ?? ''))
      return new OidcUnavailable(new Error(`${name} ${status}`));
    if (error.error === 'access_denied') return new OidcRefused('oidc-denied');
    return new OidcRefused('oidc-failed', {
      cause: new Error(`${name}: ${/^\w{1,40}/.exec(error.error ?? '')?.[0]}`),
    });
  }
  if (error instanceof errors.RPError) {
    if (message.startsWith('outgoing request timed out')) return new OidcUnavailable(new Error('timed out'));
    return new OidcRefused('oidc-token-invalid', { cause: new Error(name) });
  }
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && CONNECTION_FAILURE.test(code)) return new OidcUnavailable(new Error(code));
  // A response that is not JSON comes from a proxy in front of the provider.
  if (name === 'SyntaxError') return new OidcUnavailable(new Error(name));
  return new OidcRefused('oidc-failed', { cause: new Error(name) });
}

/** Difference between the clocks of the provider and the service that is tolerated, in seconds. */
const CLOCK_TOLERANCE = 30;
const LONGEST_SUBJECT = 255;

/** Secrets of a sign-in, besides its state (RFC 7636; OpenID Connect Core, section 3.1.2.1). */
export interface OidcSecrets {
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The provider's answer as it arrived, not to be trusted. */
export interface ProviderAnswer {
  readonly state?: string;
  readonly code?: string;
  readonly error?: string;
  /** RFC 9207 */
  readonly iss?: string;
}

/** A person as the provider knows them. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  /** Normalised; null when the provider has verified none. */
  readonly verifiedEmail: string | null;
}

/**
 * The OpenID provider of the installation, by code flow with PKCE. The operator chooses it, so it may be on a private
 * network: the egress guard is for addresses that users enter. Its metadata is read when it is first needed, so that the
 * service starts while the provider is down. None of its tokens are kept.
 */
@Injectable()
export class OpenIdProvider {
  private readonly redirectUri: string;
  private metadata: { readonly metadata: IssuerMetadata; readonly readAt: number } | null = null;
  private reading: Promise<IssuerMetadata> | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly timings: OidcTimings,
  ) {
    this.redirectUri = `${config.http.appUrl}/api/auth/oidc/callback`;
  }

  /** @throws OidcNotConfigured */
  requireConfigured(): NonNullable<AppConfig['oidc']> {
    if (!this.config.oidc) throw new OidcNotConfigured();
    return this.config.oidc;
  }

  generateSecrets(): OidcSecrets {
    return { nonce: generators.nonce(), codeVerifier: generators.codeVerifier() };
  }

  /**
   * The address to redirect the browser to.
   * @throws OidcNotConfigured, OidcUnavailable, OidcRefused
   */
  async buildAuthorizationUrl(state: string, { nonce, codeVerifier }: OidcSecrets): Promise<string> {
    return this.withClient(async (client) =>
      client.authorizationUrl({
        redirect_uri: this.redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: generators.codeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }),
    );
  }

  /**
   * Exchanges the answer's code for the identity of the person. The ID token is verified: signature, issuer, audience, expiry and
   * nonce (OpenID Connect Core, section 3.1.3.7).
   * @param answer with the state that was sent
   * @throws OidcNotConfigured, OidcUnavailable, OidcRefused
   */
  async identify(answer: ProviderAnswer, { nonce, codeVerifier }: OidcSecrets): Promise<ProviderIdentity> {
    return this.withClient(async (client) => {
      const tokens = await client.callback(
        this.redirectUri,
        { ...answer },
        { response_type: 'code', state: answer.state, nonce, code_verifier: codeVerifier },
      );
      const claims: Claims = tokens.claims();
      const { sub: subject } = claims;
      if (!isSubject(subject)) throw new OidcRefused('oidc-token-invalid');
      // The address and its verification must come from one source.
      const fromToken = verifiedEmailOf(claims);
      const asked = fromToken === null && client.issuer.metadata.userinfo_endpoint !== undefined;
      const more: Claims = asked ? await client.userinfo(tokens) : claims;
      return {
        issuer: client.issuer.metadata.issuer,
        subject,
        name: displayNameOf(claims) ?? displayNameOf(more),
        verifiedEmail: fromToken ?? verifiedEmailOf(more),
      };
    });
  }

  /** Runs `work` with a client whose connections end with it. */
  private async withClient<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const oidc = this.requireConfigured();
    const connections = new OpenIdConnections();
    const done = new AbortController();
    const tooLong = sleep(this.timings.exchangeMs, undefined, { signal: done.signal }).then(
      () => Promise.reject(new OidcUnavailable()),
      () => new Promise<never>(() => undefined),
    );
    const httpOptions = (url: URL): object => ({
      timeout: this.timings.responseMs,
      agent: connections.agentFor(url),
    });
    try {
      const asked = this.discoverClient(oidc, httpOptions).then(work);
      return await Promise.race([asked, tooLong]);
    } catch (error) {
      if (connections.overflowed) throw new OidcUnavailable(new Error('its responses are too long'));
      throw toOidcError(error);
    } finally {
      done.abort();
      connections.end();
    }
  }

  private async discoverClient(
    { clientId, clientSecret }: NonNullable<AppConfig['oidc']>,
    httpOptions: (url: URL) => object,
  ): Promise<Client> {
    const metadata = await this.metadataOf(httpOptions);
    const issuer = new Issuer(metadata);
    issuer[custom.http_options] = httpOptions;
    const client = new issuer.Client({
      client_id: clientId,
      client_secret: clientSecret ?? undefined,
      token_endpoint_auth_method: authMethodFor(metadata, clientSecret),
      id_token_signed_response_alg: signatureFor(metadata),
    });
    client[custom.http_options] = httpOptions;
    client[custom.clock_tolerance] = CLOCK_TOLERANCE;
    return client;
  }

  /** The provider's metadata (OpenID Connect Discovery, section 4): rather old than none. */
  private async metadataOf(httpOptions: (url: URL) => object): Promise<IssuerMetadata> {
    const known = this.metadata;
    if (known && Date.now() - known.readAt < this.timings.metadataMs) return known.metadata;
    this.reading ??= this.discover(httpOptions).finally(() => (this.reading = null));
    try {
      return await this.reading;
    } catch (error) {
      if (known) return known.metadata;
      throw error;
    }
  }

  private async discover(httpOptions: (url: URL) => object): Promise<IssuerMetadata> {
    const wanted = this.requireConfigured().issuer;
    class Discovered extends Issuer {
      static override [custom.http_options] = httpOptions;
    }
    const { metadata } = await Discovered.discover(wanted);
    // Metadata of another issuer, whose tokens would pass for the provider's (Discovery, section 4.3).
    if (withoutSlash(metadata.issuer) !== withoutSlash(wanted)) {
      throw new OidcRefused('oidc-failed', { cause: new Error('OIDC_ISSUER leads to another issuer') });
    }
    this.metadata = { metadata, readAt: Date.now() };
    return metadata;
  }
}

/** The library only checks that there is one; an empty subject, or a list, could name several people. */
const isSubject = (subject: unknown): subject is string =>
  typeof subject === 'string' &&
  subject !== '' &&
  subject.length <= LONGEST_SUBJECT &&
  !subject.includes('\0');

const withoutSlash = (url: string): string => url.replace(/\/$/, '');

function authMethodFor(
  metadata: IssuerMetadata,
  secret: string | null,
): 'none' | 'client_secret_basic' | 'client_secret_post' {
  if (secret === null) return 'none';
  const supported = metadata.token_endpoint_auth_methods_supported;
  const onlyPost = supported?.includes('client_secret_post') && !supported.includes('client_secret_basic');
  return onlyPost ? 'client_secret_post' : 'client_secret_basic';
}

/** RS256, which every provider must have (Discovery, section 3), else the first it signs with that has a public key. */
function signatureFor(metadata: IssuerMetadata): string {
  const supported = (metadata.id_token_signing_alg_values_supported as string[] | undefined) ?? [];
  if (supported.length === 0 || supported.includes('RS256')) return 'RS256';
  return supported.find((algorithm) => /^(RS|PS|ES)\d{3}$|^EdDSA$/.test(algorithm)) ?? 'RS256';
}
