import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/auth/policies';
import { ApiProblems } from '../common/openapi/api-problems';
import { NoRateLimit } from '../common/rate-limit/rate-limit.decorator';
import { SERVICE_VERSION } from '../version';
import { LivenessResponse, ReadinessResponse } from './health.response';
import { HealthService } from './health.service';

/** Probes for orchestrators. */
@ApiTags('operations')
@Public()
@NoRateLimit()
@Controller('health')
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Get('live')
  @ApiOperation({ summary: 'The process answers' })
  @ApiOkResponse({ type: LivenessResponse })
  live(): LivenessResponse {
    return { status: 'ok', version: SERVICE_VERSION };
  }

  @Get('ready')
  @ApiOperation({ summary: 'Database, Redis and storage answer' })
  @ApiOkResponse({ type: ReadinessResponse })
  @ApiProblems(503)
  async ready(): Promise<ReadinessResponse> {
    await this.health.assertReady();
    return { status: 'ok' };
  }
}
