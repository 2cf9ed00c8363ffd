import { ApiProperty } from '@nestjs/swagger';

export class RulePreviewResponse {
  /** The native query the conditions translate to.
   * @example "from:(news) older_than:30d" */
  query: string;

  /** Messages the query finds: exactly up to 10,000, above that an estimate. */
  @ApiProperty({ type: 'integer', example: 1250 })
  estimatedCount: number;

  /** Starred ones among them. */
  @ApiProperty({ type: 'integer', example: 2 })
  starredCount: number;

  /** Those among them the provider thinks important. */
  @ApiProperty({ type: 'integer', example: 7 })
  importantCount: number;
}
