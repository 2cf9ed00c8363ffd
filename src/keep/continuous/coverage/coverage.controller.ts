import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../../platform/access/authenticated-user';
import { ListsRows } from '../../../platform/access/lists-rows';
import { CurrentUser, OwnsAccount, ReadsOnly } from '../../../platform/access/policies';
import { ClientSignal } from '../../../platform/http/client-signal';
import { ResourceNotFound } from '../../../platform/http/domain-error';
import { LongBody } from '../../../platform/http/json-body.guard';
import { ApiProblems } from '../../../platform/openapi/api-problems';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { ArchiveWithoutMailbox, ProviderProblems } from '../../../providers/port/mail-provider.errors';
import { CoverageOff, TooManyMessages } from './coverage.errors';
import { CoverageService } from './coverage.service';
import { AskDeletableDto, ListCoveredQuery } from '../dto/coverage.dto';
import {
  CoveredMessagePageResponse,
  CoverageResponse,
  DeletableResponse,
  ExplainedMessageResponse,
  toCoveredMessageResponse,
  toCoverageResponse,
  toDeletableResponse,
  toExplainedMessageResponse,
} from '../dto/coverage.response';

@ApiTags('coverage')
@OperationGroup('coverage')
@OwnsAccount()
@ApiProblems(new CoverageOff(), new ArchiveWithoutMailbox())
@Controller('coverage/:accountId')
export class CoverageController {
  constructor(private readonly coverage: CoverageService) {}

  /**
   * Get what became of each message. Each message of the mailbox, spam and trash included, is in one of five classes, and
   * these add up to the mailbox as of the provider's cursor in `asOf`.
   */
  @Get()
  async get(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
  ): Promise<CoverageResponse> {
    return toCoverageResponse(await this.coverage.getOverview(user.id, accountId));
  }

  /** List the messages of a class. By id; verified and archived ones by the day of their verification first. */
  @Get('messages')
  @ListsRows()
  async listMessages(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Query() query: ListCoveredQuery,
  ): Promise<CoveredMessagePageResponse> {
    const { messages, next } = await this.coverage.list(user.id, accountId, query);
    return { items: messages.map(toCoveredMessageResponse), next };
  }

  /** Get what became of a message. With a sentence for people. The class of a message that only the archive has is `null`. */
  @Get('messages/:messageId')
  @ApiProblems(new ResourceNotFound('message'))
  async getMessage(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Param('messageId') messageId: string,
  ): Promise<ExplainedMessageResponse> {
    return toExplainedMessageResponse(await this.coverage.find(user.id, accountId, messageId));
  }

  /**
   * Ask which messages may be deleted from the mailbox. Those that are verified, are neither drafts nor in the trash, and
   * whose copies no retention policy removes within 30 days. While coverage is not exact, none may. Nothing is deleted.
   */
  @Post('deletable')
  @ReadsOnly()
  @LongBody()
  @HttpCode(200)
  @ProviderProblems()
  @ApiProblems(new TooManyMessages())
  async askDeletable(
    @CurrentUser() user: AuthenticatedUser,
    @Param('accountId') accountId: string,
    @Body() body: AskDeletableDto,
    @ClientSignal() signal: AbortSignal,
  ): Promise<DeletableResponse> {
    const { head, verdicts } = await this.coverage.listDeletable(user.id, accountId, body, signal);
    return toDeletableResponse(head, verdicts);
  }
}
