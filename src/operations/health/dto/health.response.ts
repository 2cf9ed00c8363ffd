import { ApiProperty } from '@nestjs/swagger';
import { SEARCH_STATES, type SearchState } from '../../../archive/mails/index-checks/search-canary';

export class LivenessResponse {
  /** Always `ok`: the process answers.
   * @example ok */
  status: string;
  /** Version of the service.
   * @example 0.1.0 */
  version: string;
}

export class ReadinessResponse {
  /**
   * `ok` when every dependency responds; otherwise the response is a 503 problem naming the ones that do not.
   * @example ok
   */
  status: string;

  /**
   * Whether the search index finds a mail that is there, looked up at most once a minute: `degraded` when it does not, `unknown` while
   * there is no mail or no answer.
   */
  @ApiProperty({ enum: SEARCH_STATES, example: 'ok' })
  search: SearchState;
}
