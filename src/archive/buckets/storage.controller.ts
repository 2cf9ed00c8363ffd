import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { AuthenticatedUser } from '../../platform/access/authenticated-user';
import { Authenticated, CurrentUser, OpenToApiKeys } from '../../platform/access/policies';
import { OperationGroup } from '../../platform/openapi/operation-group';
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

  /** Get the storage configuration. Without a configuration only `type: local`. Credentials are never returned. */
  @Get('config')
  async getConfig(@CurrentUser() user: AuthenticatedUser): Promise<StorageConfigResponse> {
    return toStorageConfigResponse(await this.storage.findCurrent(user.id));
  }

  /**
   * Choose where new mail is stored. Archived mail stays where it is and remains readable. Sending the same endpoint
   * and bucket again replaces the access keys. If the object store refuses the configuration, the answer is 400 and
   * names the field.
   */
  @Put('config')
  async updateConfig(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: StorageConfigDto,
  ): Promise<StorageSavedResponse> {
    await this.storage.choose(user.id, choiceOf(body));
    return { success: true };
  }

  /**
   * Test an object store by writing, reading and deleting an object. If the test fails, the status is still 200:
   * `success` is false, and `error` says why.
   */
  @Post('test-objstore')
  @HttpCode(200)
  async testObjectStore(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: TestObjectStoreDto,
  ): Promise<ObjectStoreTestResponse> {
    return toObjectStoreTestResponse(await this.storage.test(user.id, testedChoice(body)));
  }
}
