import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import { type AuthenticatedUser, boundAccountsOf } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { AccountProblems } from '../../providers/port/mail-provider.errors';
import { UndoResponse, UndoStartedResponse } from './dto/undo.response';
import { UNDO_REFUSALS, UndoRefused } from './undo.errors';
import { UndoService } from './undo.service';

const JobIdParam = (): MethodDecorator =>
  ApiParam({
    name: 'jobId',
    description: 'The jobId that started the job, or the id of its record',
    example: 'bulk_operation-42',
  });

@ApiTags('jobs')
@OperationGroup('jobs')
@Controller('jobs/:jobId/undo')
@Authenticated()
@OpenToApiKeys({ confined: true })
export class UndoController {
  constructor(private readonly undos: UndoService) {}

  /**
   * See whether a job can be undone. Bulk changes, rule runs and undos can for 30 days, moves to the trash for 29, unless the trash was emptied before.
   * Deletions and archiving cannot.
   */
  @Get()
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'))
  getUndo(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<UndoResponse> {
    return this.undos.describe(user.id, jobId, boundAccountsOf(user));
  }

  /**
   * Undo a job. Starts a job that undoes the changes that the job itself has made, even if it did not finish. Messages
   * that were changed in the same way again since stay as they are, and are listed as failures. An undo can be undone.
   */
  @Post()
  @HttpCode(202)
  @JobIdParam()
  @ApiProblems(new ResourceNotFound('job'), ...UNDO_REFUSALS.map((refusal) => new UndoRefused(refusal)))
  @AccountProblems()
  undo(@CurrentUser() user: AuthenticatedUser, @Param('jobId') jobId: string): Promise<UndoStartedResponse> {
    return this.undos.start(user.id, jobId, boundAccountsOf(user));
  }
}
