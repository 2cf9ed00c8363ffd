import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AccountNotOwned } from '../../platform/access/access.errors';
import type { SessionUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentSession } from '../../platform/access/policies';
import { ResourceNotFound } from '../../platform/http/domain-error';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { ApiKeyLimit } from './api-keys.errors';
import { ApiKeysService } from './api-keys.service';
import { ApiKeyResponse, CreatedApiKeyResponse, toApiKeyResponse } from './dto/api-keys.response';
import { CreateApiKeyDto, toApiKeyChoice } from './dto/api-keys.dto';

@ApiTags('auth')
@OperationGroup('apiKeys')
@Authenticated()
@Controller('auth/api-keys')
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  /**
   * List your API keys, newest first. Name, scope, accounts, expiry and last use of each key. The keys themselves are
   * shown only at creation.
   */
  @Get()
  async list(@CurrentSession() user: SessionUser): Promise<ApiKeyResponse[]> {
    return (await this.keys.list(user.id)).map(toApiKeyResponse);
  }

  /**
   * Create an API key. Only this response contains the key. A key can be limited to some mailbox accounts and can
   * expire.
   */
  @Post()
  @ApiProblems(new AccountNotOwned(), new ApiKeyLimit())
  async create(
    @CurrentSession() user: SessionUser,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyResponse> {
    const { record, key } = await this.keys.create(user.id, toApiKeyChoice(body));
    return { ...toApiKeyResponse(record), key };
  }

  /** Delete an API key. It is refused from then on, and its event streams end. */
  @Delete(':keyId')
  @HttpCode(204)
  @ApiProblems(new ResourceNotFound('api key'))
  async delete(@CurrentSession() user: SessionUser, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.revoke(user.id, keyId);
  }
}
