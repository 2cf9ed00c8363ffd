import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import { SearchCanary } from '../../archive/mails/index-checks/search-canary';
import { Public } from '../../platform/access/policies';
import { ApiProblems } from '../../platform/openapi/api-problems';
import { NotInWebClient } from '../../platform/openapi/not-in-web-client';
import { OperationGroup } from '../../platform/openapi/operation-group';
import { NoRateLimit } from '../../platform/rate-limit/rate-limit-decorators';
import { SERVICE_VERSION } from '../../version';
import { LivenessResponse, ReadinessResponse } from './dto/health.response';
import { HealthService, NotReady } from './health.service';

/** Probes for orchestrators. */
@ApiTags('operations')
@OperationGroup('health')
@Public()
@NoRateLimit()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthService,
    private readonly canary: SearchCanary,
  ) {}

  /** Check that the process is alive. For orchestrators: restart the process when the status is not 200. */
  @Get('live')
  @ApiOkResponse({ type: LivenessResponse })
  @NotInWebClient('a probe of the container')
  live(): LivenessResponse {
    return { status: 'ok', version: SERVICE_VERSION };
  }

  /**
   * Check that database, Redis and storage are available. For load balancers: send no requests while the status is
   * not 200. The problem document names the dependencies that do not answer. A search index that does not find what is there makes
   * `search` say `degraded`, and the status stays 200.
   */
  @Get('ready')
  @ApiOkResponse({ type: ReadinessResponse })
  @ApiProblems(new NotReady([{ field: 'database', message: 'does not answer' }]))
  @NotInWebClient('a probe of the container')
  async ready(): Promise<ReadinessResponse> {
    await this.health.assertReady();
    return { status: 'ok', search: await this.canary.look() };
  }
}
