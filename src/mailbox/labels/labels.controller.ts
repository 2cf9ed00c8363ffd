import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import {
  LabelExists,
  LabelNotFound,
  LabelProtected,
  ProviderProblems,
} from '../../providers/port/mail-provider.errors';
import { CreateLabelDto, ListLabelsQuery } from './dto/labels.dto';
import { LabelResponse, toLabelResponse } from './dto/labels.response';
import { LabelsService } from './labels.service';

@ApiTags('mailbox')
@OperationGroup('mailbox')
@OwnsAccount()
@ProviderProblems()
@Controller('mailbox/:accountId/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  /**
   * List the labels of a mailbox. System labels and user labels. Counts are `null` where the provider returns none.
   */
  @Get()
  async listLabels(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListLabelsQuery,
  ): Promise<LabelResponse[]> {
    return (await this.labels.list(user.id, accountId, query.counts)).map(toLabelResponse);
  }

  /** Create a label. The label appears in the mailbox at once. */
  @Post()
  @ApiProblems(new LabelExists())
  async createLabel(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateLabelDto,
  ): Promise<LabelResponse> {
    return toLabelResponse(await this.labels.create(user.id, accountId, body.name));
  }

  /** Delete a label and remove it from its messages. The messages stay. System labels cannot be deleted. */
  @Delete(':labelId')
  @HttpCode(204)
  @ApiProblems(new LabelNotFound(), new LabelProtected())
  async deleteLabel(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('labelId') labelId: string,
  ): Promise<void> {
    return this.labels.delete(user.id, accountId, labelId);
  }
}
