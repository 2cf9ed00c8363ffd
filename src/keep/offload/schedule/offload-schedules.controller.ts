import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../../platform/access/policies';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { AccountProblems, SearchTermNotSupported } from '../../../providers/port/mail-provider.errors';
import { SetOffloadScheduleDto } from '../dto/offload.dto';
import { OffloadScheduleResponse, toOffloadScheduleResponse } from '../dto/offload.response';
import { OffloadSchedulesService } from './offload-schedules.service';

@ApiTags('offload')
@OperationGroup('offload')
@OwnsAccount()
@Controller('offload/:accountId/schedule')
export class OffloadSchedulesController {
  constructor(private readonly schedules: OffloadSchedulesService) {}

  /** Get the nightly offload of a mailbox. What it selects, how old messages have to be, and how many it moves at most. */
  @Get()
  @ApiProblems(new ResourceNotFound('offload schedule'))
  async getSchedule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<OffloadScheduleResponse> {
    return toOffloadScheduleResponse(await this.schedules.get({ userId: user.id, accountId }));
  }

  /**
   * Set the nightly offload of a mailbox. Every night a plan is made and, if it moves no more than `maxPerNight` messages,
   * carried out; a larger one waits for a person. Starred, important and unread messages stay, and encrypted copies cannot
   * be compared (`strict`): there is no person to give the passphrase.
   */
  @Put()
  @AccountProblems()
  @ApiProblems(new SearchTermNotSupported('newer_than:2w'))
  async setSchedule(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: SetOffloadScheduleDto,
  ): Promise<OffloadScheduleResponse> {
    const { select, mode = 'strict', graceDays, maxPerNight, isActive } = body;
    const schedule = {
      ...{ userId: user.id, accountId, selection: select, mode, graceDays, maxPerNight, isActive },
    };
    return toOffloadScheduleResponse(await this.schedules.set(schedule));
  }
}
