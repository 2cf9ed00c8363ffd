import { Body, Controller, Delete, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { AccountNotOwned } from '../access/access.errors';
import type { SessionUser } from '../access/authenticated-user';
import { Authenticated, CurrentSession } from '../access/policies';
import { ResourceNotFound } from '../common/http/domain-error';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
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
   * What each is called, may do and is bound to, and when it was last used. The keys themselves were shown once, when
   * they were made.
   */
  @Get()
  @ApiOperation({ summary: 'The API keys of the caller, newest first, without the keys themselves' })
  async list(@CurrentSession() user: SessionUser): Promise<ApiKeyResponse[]> {
    return (await this.keys.list(user.id)).map(toApiKeyResponse);
  }

  /** The answer is the only one that has the key. It may be bound to single mailbox accounts, and may end on a day. */
  @Post()
  @ApiOperation({ summary: 'Make an API key' })
  @ApiProblems(new AccountNotOwned(), new ApiKeyLimit())
  async create(
    @CurrentSession() user: SessionUser,
    @Body() body: CreateApiKeyDto,
  ): Promise<CreatedApiKeyResponse> {
    const { record, key } = await this.keys.create(user.id, toApiKeyChoice(body));
    return { ...toApiKeyResponse(record), key };
  }

  /** It is refused from then on, and event streams opened with it end. */
  @Delete(':keyId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete an API key' })
  @ApiProblems(new ResourceNotFound('api key'))
  async delete(@CurrentSession() user: SessionUser, @Param('keyId') keyId: string): Promise<void> {
    await this.keys.revoke(user.id, keyId);
  }
}
