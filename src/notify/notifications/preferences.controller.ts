import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { NotificationsOkResponse } from './dto/notifications.response';
import { ChangePreferencesDto } from './dto/preferences.dto';
import { PreferencesResponse, toPreferencesResponse } from './dto/preferences.response';
import { PreferencesService } from './preferences.service';

@ApiTags('notifications')
@OperationGroup('notifications')
@Authenticated()
@OpenToApiKeys()
@Controller('notifications/preferences')
export class PreferencesController {
  constructor(private readonly preferences: PreferencesService) {}

  /**
   * Get the notification preferences. Plain keys control notifications in the application; keys that end in `_toast`
   * control toasts. Unchanged keys have their default.
   */
  @Get()
  async getPreferences(@CurrentUser() user: AuthenticatedUser): Promise<PreferencesResponse> {
    return toPreferencesResponse(await this.preferences.get(user.id));
  }

  /** Change the notification preferences. Only the given keys change. */
  @Put()
  async updatePreferences(
    @CurrentUser() user: AuthenticatedUser,
    @Body(SomeFieldsPipe) body: ChangePreferencesDto,
  ): Promise<NotificationsOkResponse> {
    await this.preferences.change(user.id, body);
    return { ok: true };
  }
}
