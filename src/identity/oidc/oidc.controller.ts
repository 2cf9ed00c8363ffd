import { Body, Controller, Get, HttpCode, Post, Query, Redirect, Req, Res } from '@nestjs/common';
import { ApiBody, ApiQuery, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AuthRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { deviceOf } from '../sessions/device';
import { SignInBusy } from '../users/users.errors';
import { SessionTransport } from '../auth/session-transport';
import {
  NoLocalPassword,
  PasswordInvalid,
  TotpInvalid,
  TotpUnreadable,
} from '../two-factor/two-factor.errors';
import { LinkIdentityDto } from './dto/oidc.dto';
import { IdentityUnlinkedResponse, LinkIdentityResponse } from './dto/oidc.response';
import { OidcStateCookie } from './oidc-states';
import { IdentityNotLinked, OidcNotConfigured, OidcRefused, OidcUnavailable } from './oidc.errors';
import { OidcService } from './oidc.service';

interface Redirection {
  readonly url: string;
  readonly statusCode: number;
}

const redirection = (url: string): Redirection => ({ url, statusCode: 302 });
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

@ApiTags('single-sign-on')
@OperationGroup('singleSignOn')
@Controller('auth/oidc')
export class OidcController {
  constructor(
    private readonly oidc: OidcService,
    private readonly cookie: OidcStateCookie,
    private readonly transport: SessionTransport,
  ) {}

  /**
   * Start signing in with the identity provider. If the provider is unavailable, browsers are sent to
   * `/login?error=oidc-unavailable`; clients that accept JSON get a problem document.
   */
  @Get('login')
  @Public()
  @AuthRateLimit()
  @Redirect()
  @ApiQuery({
    name: 'return_to',
    required: false,
    type: String,
    description: 'Path of the application to return to; anything else counts as `/`',
  })
  @ApiResponse({ status: 302, description: 'Redirect to the provider' })
  @ApiProblems(new OidcNotConfigured(), new OidcUnavailable(), new OidcRefused('oidc-failed'))
  @NotInWebClient('a link whose address `auth.config` has')
  async login(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query('return_to') returnTo?: unknown,
  ): Promise<Redirection> {
    try {
      const { url, issued } = await this.oidc.beginSignIn(returnTo);
      this.cookie.set(response, issued);
      return redirection(url);
    } catch (error) {
      const ofProvider = error instanceof OidcUnavailable || error instanceof OidcRefused;
      if (!ofProvider || request.accepts(['html', 'json']) === 'json') throw error;
      return redirection(this.oidc.urlAfterFailedBegin(error));
    }
  }

  /**
   * Receive the browser from the identity provider. Opens a session and redirects into the application, or passes on
   * the error.
   */
  @Get('callback')
  @Public()
  @AuthRateLimit()
  @Redirect()
  @ApiQuery({
    name: 'state',
    required: false,
    type: String,
    description: 'The state of the login URL',
  })
  @ApiQuery({ name: 'code', required: false, type: String, description: 'Authorisation code' })
  @ApiQuery({
    name: 'error',
    required: false,
    type: String,
    description: 'Error of the provider, in place of a code',
  })
  @ApiQuery({ name: 'iss', required: false, type: String, description: 'Issuer (RFC 9207)' })
  @ApiResponse({
    status: 302,
    description:
      'To `return_to`, or `/login?error=…`; for a link to `/settings?oidc=linked` or `/settings?oidc=error&code=…`',
  })
  @ApiProblems(new OidcNotConfigured())
  @NotInWebClient('the identity provider leads the browser there')
  async callback(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @Query() query: Record<string, unknown>,
  ): Promise<Redirection> {
    const { state, code, error, iss } = query;
    const answer = { state: text(state), code: text(code), error: text(error), iss: text(iss) };
    const browserSecret = this.cookie.take(request, response, state);
    const { url, signedIn } = await this.oidc.complete(answer, browserSecret, deviceOf(request));
    if (signedIn) this.transport.send(signedIn, response);
    return redirection(url);
  }

  /**
   * Start linking your user to the identity provider. Open the returned URL in the same browser. Users with
   * two-factor sign-in need this once, as do users who registered with a password; other users are linked at their first
   * sign-in with the same verified address.
   */
  @Post('link')
  @ApiBody({ type: LinkIdentityDto, required: false })
  @HttpCode(200)
  @Authenticated()
  @ApiProblems(
    new PasswordInvalid(),
    new TotpInvalid(403),
    new TotpUnreadable(),
    new OidcNotConfigured(),
    new OidcUnavailable(),
    new SignInBusy(),
  )
  async link(
    @CurrentSession() user: SessionUser,
    @Body() body: LinkIdentityDto,
    @Res({ passthrough: true }) response: Response,
  ): Promise<LinkIdentityResponse> {
    const proof = { password: body.password, code: body.totp_code };
    const { url, issued } = await this.oidc.beginLink(user, proof);
    this.cookie.set(response, issued);
    return { url };
  }

  /**
   * Unlink your user from the identity provider. Signing in then requires the password, so a user without a password
   * cannot unlink.
   */
  @Post('unlink')
  @ApiBody({ type: LinkIdentityDto, required: false })
  @HttpCode(200)
  @Authenticated()
  @ApiProblems(
    new PasswordInvalid(),
    new TotpInvalid(403),
    new TotpUnreadable(),
    new NoLocalPassword(),
    new IdentityNotLinked(),
    new SignInBusy(),
  )
  async unlink(
    @CurrentSession() user: SessionUser,
    @Body() body: LinkIdentityDto,
  ): Promise<IdentityUnlinkedResponse> {
    await this.oidc.unlink(user.id, { password: body.password, code: body.totp_code });
    return { ok: true };
  }
}
