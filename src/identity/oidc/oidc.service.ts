import { Injectable, Logger } from '@nestjs/common';
import type { SessionUser } from '../../platform/access/authenticated-user';
import type { IssuedOAuthState } from '../auth/oauth-state';
import { SignedIn, SignInService } from '../auth/sign-in.service';
import { toDomainError } from '../../platform/http/to-domain-error';
import type { Device } from '../sessions/device';
import { SessionsService } from '../sessions/sessions.service';
import { Proof, Reauthentication } from '../two-factor/reauthentication';
import { UsersService } from '../users/users.service';
import { IdentityLinkService } from './identity-link.service';
import { OidcRedirects, returnPathOf } from './oidc-redirects';
import { OidcFlow, OidcStates } from './oidc-states';
import { OidcRefused, OidcUnavailable } from './oidc.errors';
import { OpenIdProvider, ProviderAnswer } from './openid-provider';

/** The address at the provider to which the browser is redirected, and the state that ties it to the flow. */
export interface Departure {
  readonly url: string;
  readonly issued: IssuedOAuthState;
}

/** The address to which the browser is redirected, with a session after a successful sign-in. */
export interface Arrival {
  readonly url: string;
  readonly signedIn: SignedIn | null;
}

/**
 * Sign-in through the OpenID provider (OpenID Connect Core, section 3.1), and linking users to it.
 * See ADRs 26 and 97.
 */
@Injectable()
export class OidcService {
  private readonly logger = new Logger(OidcService.name);

  constructor(
    private readonly provider: OpenIdProvider,
    private readonly states: OidcStates,
    private readonly identityLinks: IdentityLinkService,
    private readonly redirects: OidcRedirects,
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly signIn: SignInService,
    private readonly reauthentication: Reauthentication,
  ) {}

  /**
   * Begins a sign-in.
   * @param returnTo as it came in the query
   * @throws OidcNotConfigured, OidcUnavailable
   */
  beginSignIn(returnTo: unknown): Promise<Departure> {
    return this.beginFlow({ returnTo: returnPathOf(returnTo), link: null });
  }

  /**
   * Begins to link a signed-in user.
   * @throws PasswordInvalid, TotpInvalid, TooManyRequests, OidcNotConfigured, OidcUnavailable
   */
  async beginLink(user: SessionUser, proof: Proof): Promise<Departure> {
    this.provider.requireConfigured();
    await this.reauthentication.require(await this.users.get(user.id), proof);
    return this.beginFlow({ returnTo: '/', link: { userId: user.id, sessionId: user.sessionId } });
  }

  /** @throws PasswordInvalid, TotpInvalid, TooManyRequests, NoLocalPassword, IdentityNotLinked */
  async unlink(userId: string, proof: Proof): Promise<void> {
    const user = await this.users.get(userId);
    await this.reauthentication.require(user, proof);
    await this.identityLinks.unlink(user);
  }

  /**
   * Handles the provider's answer. Whatever happens, the browser is redirected to a page of the application, with an error
   * code if need be.
   * @param browserSecret from the cookie of the browser that returns
   * @throws OidcNotConfigured
   */
  async complete(answer: ProviderAnswer, browserSecret: string | null, device: Device): Promise<Arrival> {
    this.provider.requireConfigured();
    let flow: OidcFlow | null = null;
    try {
      const redeemed = await this.states.redeem(answer.state, browserSecret);
      if (!redeemed) throw new OidcRefused('oidc-state-invalid');
      flow = redeemed.flow;
      // An attacker's answer in a victim's browser would sign the victim in as the attacker (RFC 6749, section 10.12).
      if (!redeemed.sameBrowser) throw new OidcRefused('oidc-browser-mismatch');
      return flow.link
        ? await this.completeLink(flow, flow.link, answer)
        : await this.completeSignIn(flow, answer, device);
    } catch (error) {
      return this.refuse(flow, error);
    }
  }

  /** The address to which the browser is redirected when its sign-in could not begin. */
  urlAfterFailedBegin(error: OidcUnavailable | OidcRefused): string {
    return this.redirects.urlAfterFailedSignIn(this.codeOf(error));
  }

  private async beginFlow(flow: Omit<OidcFlow, 'secrets'>): Promise<Departure> {
    const secrets = this.provider.generateSecrets();
    const issued = await this.states.issue({ ...flow, secrets });
    return { url: await this.provider.buildAuthorizationUrl(issued.state, secrets), issued };
  }

  private async completeSignIn(flow: OidcFlow, answer: ProviderAnswer, device: Device): Promise<Arrival> {
    const identity = await this.provider.identify(answer, flow.secrets);
    const user = await this.identityLinks.findOrCreateUser(identity);
    const signedIn = await this.signIn.open(user, device, 'openid-connect');
    return { url: this.redirects.urlAfterSignIn(flow.returnTo), signedIn };
  }

  private async completeLink(
    { secrets }: OidcFlow,
    wanted: { userId: string; sessionId: string },
    answer: ProviderAnswer,
  ): Promise<Arrival> {
    const identity = await this.provider.identify(answer, secrets);
    const session = await this.sessions.findLive(wanted.sessionId);
    if (session?.userId !== wanted.userId) throw new OidcRefused('oidc-session-ended');
    await this.identityLinks.linkTo(wanted.userId, identity);
    return { url: this.redirects.urlAfterLink(), signedIn: null };
  }

  private async refuse(flow: OidcFlow | null, error: unknown): Promise<Arrival> {
    const code = this.codeOf(error);
    // Anyone can invent a state: only flows that we issued are recorded.
    if (flow) {
      const known = error instanceof OidcRefused ? error.userId : null;
      await this.signIn.refuse(flow.link?.userId ?? known, 'openid-connect', code);
    }
    const url = flow?.link
      ? this.redirects.urlAfterFailedLink(code)
      : this.redirects.urlAfterFailedSignIn(code);
    return { url, signedIn: null };
  }

  private codeOf(thrown: unknown): string {
    const error = toDomainError(thrown);
    if (error.code !== 'internal-error') {
      const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
      this.logger[error.status >= 500 ? 'warn' : 'log'](`Not signed in: ${error.code}${cause}`);
      return error.code;
    }
    this.logger.error(thrown);
    return error.code;
  }
}
