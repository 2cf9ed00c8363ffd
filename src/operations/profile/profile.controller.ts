import { Body, Controller, Get, Patch } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../../platform/access/policies';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { UserResponse } from '../../identity/users/dto/user.response';
import { DisplayPreferencesResponse } from './dto/preferences.response';
import { UpdateMeDto, UpdatePreferencesDto } from './dto/profile.dto';
import { AuthConfigResponse, MeResponse } from './dto/profile.response';
import { ProfileService } from './profile.service';

@ApiTags('auth')
@OperationGroup('auth')
@Controller('auth')
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  /**
   * Get the sign-in options. Whether users can register, which mail providers can be connected, whether single sign-on is
   * available, and other data that a client needs before sign-in.
   */
  @Get('config')
  @Public()
  config(): Promise<AuthConfigResponse> {
    return this.profile.getPublicConfig();
  }

  /**
   * Get the signed-in user and their mailbox accounts. The `id` of a mailbox account is the `accountId` of other
   * routes.
   */
  @Get('me')
  @Authenticated()
  me(@CurrentSession() user: SessionUser): Promise<MeResponse> {
    return this.profile.getMe(user.id);
  }

  /** Change your name. The e-mail address, role and limits are for administrators. */
  @Patch('me')
  @Authenticated()
  updateMe(
    @CurrentSession() user: SessionUser,
    @Body(SomeFieldsPipe) { name }: UpdateMeDto,
  ): Promise<UserResponse> {
    return this.profile.updateMe(user.id, { name });
  }

  /** Get the display preferences. Language, time zone, colours and density of the pages; null follows the browser. */
  @Get('preferences')
  @Authenticated()
  @NotInWebClient('`auth.me` has them')
  getPreferences(@CurrentSession() user: SessionUser): Promise<DisplayPreferencesResponse> {
    return this.profile.getPreferences(user.id);
  }

  /** Change the display preferences. Omitted ones stay; `null` follows the browser again. */
  @Patch('preferences')
  @Authenticated()
  updatePreferences(
    @CurrentSession() user: SessionUser,
    @Body(SomeFieldsPipe) body: UpdatePreferencesDto,
  ): Promise<DisplayPreferencesResponse> {
    return this.profile.changePreferences(user.id, body);
  }
}
