import { Body, Controller, Get, HttpCode, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import type { SessionUser } from '../common/auth/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../common/auth/policies';
import { ApiProblems } from '../common/openapi/api-problems';
import { AuthRateLimit } from '../common/rate-limit/rate-limit.decorator';
import { AuthService } from './auth.service';
import { AuthConfigResponse } from './dto/auth-config.response';
import { LoginDto } from './dto/login.dto';
import { MeResponse } from './dto/me.response';
import { RefreshDto } from './dto/refresh.dto';
import { RegisterDto } from './dto/register.dto';
import { SessionResponse } from './dto/session.response';
import { ProfileService } from './profile.service';
import { deviceOf } from './sessions/device';
import { SessionDelivery } from './sign-in/session-delivery';

@ApiTags('auth')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly auth: AuthService,
    private readonly profile: ProfileService,
    private readonly delivery: SessionDelivery,
  ) {}

  /** Registers a user and signs them in. The first user of the installation is its administrator. */
  @Post('register')
  @Public()
  @AuthRateLimit()
  @ApiProblems(400, 403, 409, 429, 503)
  async register(
    @Body() body: RegisterDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    return this.delivery.deliver(await this.auth.register(body, deviceOf(request)), response);
  }

  /**
   * Opens a session. 401 `totp-required` when the password is right and a one-time code is needed as well; 401
   * `totp-invalid` when that is wrong or used. After 10 failures for an account in 15 minutes it is closed for a while.
   */
  @Post('login')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(400, 401, 429, 503)
  async login(
    @Body() body: LoginDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    const { email, password, totp_code: code } = body;
    const signedIn = await this.auth.login({ email, password, code }, deviceOf(request));
    return this.delivery.deliver(signedIn, response);
  }

  /**
   * Exchanges a refresh token, from the body or the cookie, for a new pair of tokens. Using one twice ends the
   * session.
   */
  @Post('refresh')
  @HttpCode(200)
  @Public()
  @AuthRateLimit()
  @ApiProblems(400, 401, 403, 429)
  async refresh(
    @Body() body: RefreshDto,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionResponse> {
    const token = this.delivery.refreshToken(request, body.refresh_token);
    return this.delivery.deliver(await this.auth.refresh(token), response);
  }

  /** Ends the session at once, its access tokens included. */
  @Post('logout')
  @HttpCode(204)
  @Authenticated()
  @ApiProblems(403)
  async logout(
    @CurrentSession() user: SessionUser,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.auth.logout(user.sessionId);
    this.delivery.clear(response);
  }

  /** What may be done before signing in. */
  @Get('config')
  @Public()
  @ApiProblems(429)
  config(): AuthConfigResponse {
    return this.profile.publicConfig();
  }

  /** The caller, their mailbox accounts and their storage. */
  @Get('me')
  @Authenticated()
  me(@CurrentSession() user: SessionUser): Promise<MeResponse> {
    return this.profile.me(user.id);
  }
}
