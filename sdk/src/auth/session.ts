import { MailroomError } from '../errors.js';
import type { Schemas } from '../operations/operation-types.js';
import type { Authentication } from './authentication.js';

/** Tokens of a session, as sign-in and refresh return them. Keep `refresh_token` to continue the session in another process. */
export type Session = Schemas['SessionResponse'];

/**
 * Returns the one-time code of a user who has two-factor sign-in. `attempt` begins at 1 and is higher when a code was wrong or
 * used already; after three the sign-in fails.
 */
export type TotpCode = (attempt: number) => string | Promise<string>;

/** Start of a session. */
export type SessionStart =
  | { readonly email: string; readonly password: string; readonly totpCode?: TotpCode }
  | { readonly refreshToken: string };

/** Operations that a session uses. */
export interface SessionCalls {
  login(body: Schemas['LoginDto']): Promise<Session>;
  refresh(refreshToken: string): Promise<Session>;
}

interface Tokens {
  readonly access: string;
  /** Time in milliseconds, as `Date.now()` returns it. */
  readonly expiresAt: number;
}

const CODE_ATTEMPTS = 3;
/** Time before its end at which a token is renewed, so that it does not expire during a long upload. */
const EARLY_MS = 30_000;

/**
 * A user's session: signs in with the first call, and fetches the next access token before the last one expires. When many
 * calls need a token at the same time, one request fetches it: a refresh token can be used once, and a second use ends the
 * session.
 */
export class SessionAuthentication implements Authentication {
  private tokens: Tokens | null = null;
  private refreshToken: string | null;
  private pending: Promise<Tokens> | null = null;

  constructor(
    private readonly start: SessionStart,
    private readonly calls: SessionCalls,
    private readonly changed: (session: Session) => void = () => undefined,
  ) {
    this.refreshToken = 'refreshToken' in start ? start.refreshToken : null;
  }

  async token(): Promise<string> {
    const { tokens } = this;
    if (tokens && Date.now() < tokens.expiresAt - EARLY_MS) return tokens.access;
    return (await this.next()).access;
  }

  async renew(rejected: string | null): Promise<boolean> {
    if (this.pending || !this.tokens || this.tokens.access === rejected) await this.next();
    return true;
  }

  /** Whether there is a session to end. */
  get isOpen(): boolean {
    return this.tokens !== null || this.refreshToken !== null;
  }

  /** Forgets the session: the next call signs in again, where that is possible. */
  forget(): void {
    this.tokens = null;
    this.refreshToken = null;
  }

  private next(): Promise<Tokens> {
    this.pending ??= this.open().finally(() => {
      this.pending = null;
    });
    return this.pending;
  }

  private async open(): Promise<Tokens> {
    const session = (await this.refreshSession()) ?? (await this.signIn());
    const expiresAt = Date.now() + session.expires_in * 1000;
    this.tokens = { access: session.access_token, expiresAt };
    this.refreshToken = session.refresh_token;
    this.changed(session);
    return this.tokens;
  }

  /**
   * The renewed session; null when there is nothing to refresh, or the service no longer knows the session and a password can
   * begin another.
   */
  private async refreshSession(): Promise<Session | null> {
    const { refreshToken } = this;
    if (refreshToken === null) return null;
    // The token is used, whatever the result.
    this.refreshToken = null;
    try {
      return await this.calls.refresh(refreshToken);
    } catch (error) {
      if (!(error instanceof MailroomError) || error.status !== 401) this.refreshToken = refreshToken;
      if (error instanceof MailroomError && error.status === 401 && 'password' in this.start) return null;
      throw error;
    }
  }

  private async signIn(): Promise<Session> {
    if (!('password' in this.start)) throw new Error('The session is over: sign in again.');
    const { email, password, totpCode } = this.start;
    let code: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.calls.login({
          email,
          password,
          ...(code === undefined ? {} : { totp_code: code }),
        });
      } catch (error) {
        const wanted =
          error instanceof MailroomError && (error.code === 'totp-required' || error.code === 'totp-invalid');
        if (!wanted || !totpCode || attempt > CODE_ATTEMPTS) throw error;
        code = await totpCode(attempt);
      }
    }
  }
}
