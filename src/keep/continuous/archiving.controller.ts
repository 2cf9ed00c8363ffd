import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { AccountProblems } from '../../providers/port/mail-provider.errors';
import { ArchivingOff } from './archiving.errors';
import { UpdateArchivingDto } from './dto/archiving.dto';
import { ArchivingResponse, ReconcileResponse, toArchivingResponse } from './dto/archiving.response';
import { ReconcileJobs } from './reconciling/reconcile-jobs';
import { ArchivingSettingsService } from './archiving-settings.service';

@ApiTags('archiving')
@OperationGroup('archiving')
@OwnsAccount()
@Controller('archiving/:accountId')
export class ArchivingController {
  constructor(
    private readonly settings: ArchivingSettingsService,
    private readonly reconcileJobs: ReconcileJobs,
  ) {}

  /** Get the settings and the state of continuous archiving. An account that never had it is `off`. */
  @Get()
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ArchivingResponse> {
    return toArchivingResponse(await this.settings.findStatus(user.id, accountId));
  }

  /**
   * Change continuous archiving. Omitted fields stay unchanged. Switched on, it first compares the ledger with the whole
   * mailbox, in a job, and then copies what is missing. Switching it off keeps everything that is archived.
   */
  @Put()
  @AccountProblems()
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body(SomeFieldsPipe) body: UpdateArchivingDto,
  ): Promise<ArchivingResponse> {
    return toArchivingResponse(await this.settings.update(user.id, accountId, body));
  }

  /**
   * Compare the ledger with the mailbox now. A job lists every message of the mailbox; what is missing is copied. Joins a
   * comparison that is under way.
   */
  @Post('reconcile')
  @HttpCode(202)
  @AccountProblems()
  @ApiProblems(new ArchivingOff())
  async reconcile(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<ReconcileResponse> {
    const { jobId } = await this.reconcileJobs.request(user.id, accountId);
    return { jobId, message: 'The ledger is being compared with the mailbox.' };
  }
}
