import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { OpenToApiKeys } from '../common/auth/api-key-policies';
import type { AuthenticatedUser } from '../common/auth/authenticated-user';
import { Authenticated, CurrentUser } from '../common/auth/policies';
import { ApiProblems } from '../common/openapi/api-problems';
import { choiceOf, StorageConfigDto, testedChoice, TestObjectStoreDto } from './dto/storage-config.dto';
import {
  ObjectStoreTestResponse,
  StorageConfigResponse,
  StorageSavedResponse,
  toObjectStoreTestResponse,
  toStorageConfigResponse,
} from './dto/storage-config.response';
import { StorageService } from './storage.service';

@ApiTags('storage')
@Authenticated()
@OpenToApiKeys()
@Controller('storage')
export class StorageController {
  constructor(private readonly storage: StorageService) {}

  @Get('config')
  @ApiOperation({ summary: 'Where new mail of the caller is stored' })
  async config(@CurrentUser() user: AuthenticatedUser): Promise<StorageConfigResponse> {
    return toStorageConfigResponse(await this.storage.current(user.id));
  }

  @Put('config')
  @ApiOperation({
    summary: 'Choose where new mail is stored',
    description:
      'Mail that is archived already stays where it is and readable. The same endpoint and bucket again replaces ' +
      'its access keys. What the object store refuses is a 400 that names the field.',
  })
  @ApiProblems(400)
  async choose(
    @CurrentUser() user: AuthenticatedUser,
    @Body() body: StorageConfigDto,
  ): Promise<StorageSavedResponse> {
    await this.storage.choose(user.id, choiceOf(body));
    return { success: true };
  }

  @Post('test-objstore')
  @HttpCode(200)
  @ApiOperation({ summary: 'Try whether an object store can be used: writes, reads and deletes an object' })
  @ApiProblems(400)
  async test(@Body() body: TestObjectStoreDto): Promise<ObjectStoreTestResponse> {
    return toObjectStoreTestResponse(await this.storage.test(testedChoice(body)));
  }
}
