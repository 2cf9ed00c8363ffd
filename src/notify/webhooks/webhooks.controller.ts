import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { ListsRows } from '../../platform/access/lists-rows';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { PageQuery } from '../../platform/validation/page.dto';
import { SomeFieldsPipe } from '../../platform/validation/some-fields.pipe';
import { CreateWebhookDto, UpdateWebhookDto } from './dto/webhooks.dto';
import {
  DeliveryPageResponse,
  toDeliveryPageResponse,
  toWebhookResponse,
  WebhookResponse,
  WebhookTestResponse,
} from './dto/webhooks.response';
import { WebhookTestService } from './webhook-test.service';
import { WebhookLimit, WebhookTargetUnreadable } from './webhooks.errors';
import { WebhooksService } from './webhooks.service';

@ApiTags('webhooks')
@OperationGroup('webhooks')
// Addresses and secrets are in every answer.
@OpenToApiKeys({ needs: 'write' })
@Authenticated()
@Controller('webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: WebhookTestService,
  ) {}

  /** List your webhooks, newest first. With their secrets and the status of the last delivery. */
  @Get()
  async list(@CurrentUser() user: AuthenticatedUser): Promise<WebhookResponse[]> {
    return (await this.webhooks.list(user.id)).map(toWebhookResponse);
  }

  /** Create a webhook. It is active at once. A generic webhook gets a secret that signs its deliveries. */
  @Post()
  @ApiProblems(new WebhookLimit())
  async create(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: CreateWebhookDto,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(await this.webhooks.create(user.id, body));
  }

  /**
   * Change a webhook. Omitted fields stay unchanged. Changing the type to generic creates a new secret; changing it
   * from generic deletes the secret.
   */
  @Put(':webhookId')
  @ApiProblems(new ResourceNotFound('webhook'), new WebhookTargetUnreadable())
  async update(
    @CurrentUser() user: AuthenticatedUser,
    @Param('webhookId') webhookId: string,
    @Body(SomeFieldsPipe) body: UpdateWebhookDto,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(await this.webhooks.update(user.id, webhookId, body));
  }

  /** Switch a webhook on or off. Switching it off cancels pending deliveries. */
  @Patch(':webhookId/toggle')
  @ApiProblems(new ResourceNotFound('webhook'))
  async toggle(
    @CurrentUser() user: AuthenticatedUser,
    @Param('webhookId') webhookId: string,
  ): Promise<WebhookResponse> {
    return toWebhookResponse(await this.webhooks.toggle(user.id, webhookId));
  }

  /** Delete a webhook and its deliveries. Pending deliveries are cancelled. */
  @Delete(':webhookId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('webhook'))
  async delete(@CurrentUser() user: AuthenticatedUser, @Param('webhookId') webhookId: string): Promise<void> {
    await this.webhooks.delete(user.id, webhookId);
  }

  /**
   * Send a sample job.completed event to a webhook. Sends it once, even if the webhook is off. The answer comes
   * within about 10 seconds, and the attempt appears among the deliveries. In the event's data, `type` is
   * `webhook_test`. At most 10 tests a minute, one at a time per webhook.
   */
  @Post(':webhookId/test')
  @HttpCode(200)
  @ApiProblems(new ResourceNotFound('webhook'), new WebhookTargetUnreadable())
  async test(
    @CurrentUser() user: AuthenticatedUser,
    @Param('webhookId') webhookId: string,
  ): Promise<WebhookTestResponse> {
    return { success: await this.tests.perform(user.id, webhookId) };
  }

  /**
   * List the deliveries of a webhook, newest first. Each with its event, its state and the outcome of every attempt.
   * Kept for 30 days.
   */
  @Get(':webhookId/deliveries')
  @ListsRows()
  @ApiProblems(new ResourceNotFound('webhook'))
  async listDeliveries(
    @CurrentUser() user: AuthenticatedUser,
    @Param('webhookId') webhookId: string,
    @Query() query: PageQuery,
  ): Promise<DeliveryPageResponse> {
    return toDeliveryPageResponse(await this.webhooks.listDeliveries(user.id, webhookId, query));
  }
}
