import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { SomeFieldsPipe } from '../common/validation/some-fields.pipe';
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
   * Plain keys are for notifications in the application, those that end in `_toast` for what is shown for a moment.
   * Defaults where nothing was changed.
   */
  @Get()
  @ApiOperation({ summary: 'What the caller wants to be told' })
  async getPreferences(@CurrentUser() user: AuthenticatedUser): Promise<PreferencesResponse> {
    return toPreferencesResponse(await this.preferences.get(user.id));
  }

  /** Only the keys that are given change. */
  @Put()
  @ApiOperation({ summary: 'Change what the caller wants to be told' })
  async updatePreferences(
    @CurrentUser() user: AuthenticatedUser,
    @Body(SomeFieldsPipe) body: ChangePreferencesDto,
  ): Promise<NotificationsOkResponse> {
    await this.preferences.change(user.id, body);
    return { ok: true };
  }
}
