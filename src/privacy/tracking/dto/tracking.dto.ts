import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';

const MAX_MESSAGES = 5_000;

/** Messages to scan; also the payload of the job. */
export class StartTrackingScanDto {
  /** Scan this many of the newest messages, without spam and trash. */
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_MESSAGES, default: 500, example: 1000 })
  // Not `IsOptional`, which would let null pass.
  @ValidateIf((body: StartTrackingScanDto) => body.maxMessages !== undefined)
  @IsInt()
  @Min(1)
  @Max(MAX_MESSAGES)
  maxMessages: number = 500;
}
