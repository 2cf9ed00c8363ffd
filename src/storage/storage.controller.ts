import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../access/policies';
import { OperationGroup } from '../common/openapi/operation-group';
import { choiceOf, StorageConfigDto, testedChoice, TestObjectStoreDto } from './dto/storage.dto';
import {
  ObjectStoreTestResponse,
  StorageConfigResponse,
  StorageSavedResponse,
  toObjectStoreTestResponse,
  toStorageConfigResponse,
} from './dto/storage.response';
import { StorageService } from './storage.service';

@ApiTags('storage')
@OperationGroup('storage')
@Authenticated()
@OpenToApiKeys()
@Controller('storage')
export class StorageController {
  constructor(private readonly storage: StorageService) {}

  /** Without a configuration of their own only `type: local`. Credentials are never shown. */
  @Get('config')
  @ApiOperation({ summary: 'Where new mail of the caller is stored' })
  async getConfig(@CurrentUser() user: AuthenticatedUser): Promise<StorageConfigResponse> {
    return toStorageConfigResponse(await this.storage.current(user.id));
  }

  @Put('config')
  @ApiOperation({
    summary: 'Choose where new mail is stored',
    description:
      'Mail that is archived already stays where it is and readable. The same endpoint and bucket again replaces ' +
      'its access keys. What the object store refuses is a 400 that names the field.',
  })
  async updateConfig(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: StorageConfigDto,
  ): Promise<StorageSavedResponse> {
    await this.storage.choose(user.id, choiceOf(body));
    return { success: true };
  }

  /**
   * Tries whether an object store can be used. Writes, reads and deletes an object. A store that does not answer as
   * it should is no error of this request: `success` is false, and `error` says why.
   */
  @Post('test-objstore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try whether an object store can be used: writes, reads and deletes an object' })
  async testObjectStore(@Body() body: TestObjectStoreDto): Promise<ObjectStoreTestResponse> {
    return toObjectStoreTestResponse(await this.storage.test(testedChoice(body)));
  }
}
