import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Authenticated, OpenToApiKeys } from '../../../platform/access/policies';
import { OperationGroup } from '../../../platform/openapi/operation-group';
import { SigningKeyResponse, toSigningKeyResponse } from '../dto/offload.response';
import { InstallationKeysService } from './installation-keys.service';

@ApiTags('offload')
@OperationGroup('offload')
@Controller('offload/keys')
@Authenticated()
@OpenToApiKeys()
export class InstallationKeysController {
  constructor(private readonly keys: InstallationKeysService) {}

  /**
   * List the keys with which this installation signs, oldest first. Note the key of a receipt in another place: receipts are
   * verified with it.
   */
  @Get()
  async listSigningKeys(): Promise<SigningKeyResponse[]> {
    return (await this.keys.list()).map(toSigningKeyResponse);
  }
}
