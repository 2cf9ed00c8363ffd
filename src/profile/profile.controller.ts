import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { SessionUser } from '../access/authenticated-user';
import { Authenticated, CurrentSession, Public } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { AuthConfigResponse, MeResponse } from './dto/profile.response';
import { ProfileService } from './profile.service';

@ApiTags('auth')
@OperationGroup('auth')
@Controller('auth')
export class ProfileController {
  constructor(private readonly profile: ProfileService) {}

  /**
   * Get the sign-in options. Whether users can register, which mail providers can be connected, whether single sign-on is
   * available, and what else a client needs to know before anybody has signed in.
   */
  @Get('config')
  @Public()
  config(): Promise<AuthConfigResponse> {
    return this.profile.publicConfig();
  }

  /**
   * Get the signed-in user and their mailbox accounts. The `id` of a mailbox account is the `accountId` of other
   * routes.
   */
  @Get('me')
  @Authenticated()
  me(@CurrentSession() user: SessionUser): Promise<MeResponse> {
    return this.profile.me(user.id);
  }
}
