import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../common/auth/authenticated-user';
import { CurrentUser, OwnsAccount } from '../../common/auth/policies';
import { ApiProblems } from '../../common/openapi/api-problems';
import { CreateLabelDto, ListLabelsQuery } from './labels.dto';
import { LabelResponse, toLabelResponse } from './labels.response';
import { LabelsService } from './labels.service';

@ApiTags('mailbox')
@OwnsAccount()
@ApiProblems(409, 503)
@Controller('mailbox/:accountId/labels')
export class LabelsController {
  constructor(private readonly labels: LabelsService) {}

  @Get()
  @ApiOperation({ summary: 'Labels of the mailbox' })
  async listLabels(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListLabelsQuery,
  ): Promise<LabelResponse[]> {
    return (await this.labels.list(user.id, accountId, query.counts)).map(toLabelResponse);
  }

  @Post()
  @ApiOperation({ summary: 'Create a label' })
  async createLabel(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: CreateLabelDto,
  ): Promise<LabelResponse> {
    return toLabelResponse(await this.labels.create(user.id, accountId, body.name));
  }

  @Delete(':labelId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a label and take it off its messages' })
  @ApiProblems(404)
  async deleteLabel(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('labelId') labelId: string,
  ): Promise<void> {
    return this.labels.delete(user.id, accountId, labelId);
  }
}
