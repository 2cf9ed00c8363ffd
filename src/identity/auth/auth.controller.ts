import { Body, Controller, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ForeignOrigin } from '../../platform/access/access.errors';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AuthRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { deviceOf } from '../sessions/device';
import { RefreshInProgress } from '../sessions/sessions.errors';
import {
  NoLocalPassword,
  PasswordInvalid,
  TotpInvalid,
  TotpRequired,
  TotpUnreadable,
} from '../two-factor/two-factor.errors';
import { EmailTaken, SignInBusy } from '../users/users.errors';
import { CredentialsInvalid, RefreshTokenInvalid, RegistrationClosed } from './auth.errors';
import { AuthService } from './auth.service';
import { ChangePasswordDto, LoginDto, RefreshDto, RegisterDto } from './dto/auth.dto';
import { SessionResponse } from './dto/auth.response';
import { PasswordService } from './password.service';
import { SessionTransport } from './session-transport';

@ApiTags('auth')
@OperationGroup('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly passwords: PasswordService,
    private readonly transport: SessionTransport,
  ) {}

  /** Register a user and sign them in. The first user of the installation becomes its administrator. */
  @Post('register')
  @Public()
  @AuthRateLimit()
  @ApiProblems(new RegistrationClosed(), new EmailTaken(), new SignInBusy())
  async register(
    @Body() body: RegisterDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    return this.transport.send(await this.auth.register(body, deviceOf(request)), response);
  }

  /**
   * Sign in with a password. Answers 401 `totp-required` when the password is right and a one-time code is needed
   * too, and 401 `totp-invalid` when the code is wrong or was already used. Answers 409 `totp-unreadable` when the service
   * cannot read the secret of the codes any more. After 10 failures within 15 minutes the
   * account refuses sign-in for a while.
   */
  @Post('login')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(
    new CredentialsInvalid(),
    new TotpRequired(),
    new TotpInvalid(401),
    new TotpUnreadable(),
    new SignInBusy(),
  )
  async login(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    const { email, password, totp_code: code } = body;
    const signedIn = await this.auth.login({ email, password, code }, deviceOf(request));
    return this.transport.send(signedIn, response);
  }

  /**
   * Exchange a refresh token for a new pair of tokens. Send the refresh token in the body, or in the browser's
   * cookie. Using a token twice ends the session; only the cookie, which all tabs of a browser send, may come again within
   * ten seconds of its use, and is answered 409 `refresh-in-progress` then: the next request has the new cookies.
   */
  @Post('refresh')
  @ApiBody({ type: RefreshDto, required: false })
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(new RefreshTokenInvalid(), new RefreshInProgress(), new ForeignOrigin())
  @NotInWebClient('called by the SDK when a session has to be renewed')
  async refresh(
    @Body() body: RefreshDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    const presented = this.transport.refreshToken(request, body.refresh_token);
    return this.transport.send(await this.auth.refresh(presented), response);
  }

  /** End the session. Its access tokens are refused at once, in every process, and its event streams end. */
  @Post('logout')
  @HttpCode(204)
  @Authenticated()
  @NotInWebClient('called by `signOut` of the SDK')
  async logout(
    @CurrentSession() user: SessionUser,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.auth.logout(user.sessionId);
    this.transport.clear(response);
  }

  /**
   * Change your password. The user's other sessions end; this one and API keys stay. Needs a one-time code where those are
   * on. Answers 403 `password-invalid` or `totp-invalid` with the field that is wrong; after 10 wrong ones within 15 minutes
   * the user has to wait.
   */
  @Post('password')
  @HttpCode(204)
  @Authenticated()
  @ApiProblems(
    new PasswordInvalid('current'),
    new TotpInvalid(403),
    new NoLocalPassword(),
    new TotpUnreadable(),
    new SignInBusy(),
  )
  async changePassword(
    @CurrentSession() user: SessionUser,
    @Body() { current, next, totp_code: code }: ChangePasswordDto,
  ): Promise<void> {
    await this.passwords.change(user, { current, next, code });
  }
}
