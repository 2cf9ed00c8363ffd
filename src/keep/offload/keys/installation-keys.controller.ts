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
   * List the keys with which this installation signs, oldest first. Note the one of a receipt in another place: it is what
   * the receipt is checked with.
   */
  @Get()
  async listSigningKeys(): Promise<SigningKeyResponse[]> {
    return (await this.keys.list()).map(toSigningKeyResponse);
  }
}
