import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../access/policies';
import { ApiProblems } from '../common/openapi/api-problems';
import { OperationGroup } from '../common/openapi/operation-group';
import { NoRateLimit } from '../common/rate-limit/rate-limit-decorators';
import { SERVICE_VERSION } from '../version';
import { LivenessResponse, ReadinessResponse } from './dto/health.response';
import { HealthService, NotReady } from './health.service';

/** Probes for orchestrators. */
@ApiTags('operations')
@OperationGroup('health')
@Public()
@NoRateLimit()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  /** For orchestrators: restart the process when this is not 200. */
  @Get('live')
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: LivenessResponse })
  live(): LivenessResponse {
    return { status: 'ok', version: SERVICE_VERSION };
  }

  /** For load balancers: send no requests while this is not 200. The problem names what does not answer. */
  @Get('ready')
  @ApiOperation({ summary: 'Database, Redis and storage answer' })
  @ApiOkResponse({ type: ReadinessResponse })
  @ApiProblems(new NotReady([{ field: 'database', message: 'does not answer' }]))
  async ready(): Promise<ReadinessResponse> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
