import { ApiProperty } from '@nestjs/swagger';
import type { HeatmapCell } from './heatmap';

export class HeatmapCellResponse {
  /** Day of the week, 0 = Monday to 6 = Sunday. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 6, example: 0 })
  day: number;
  /** Hour of the day. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 23, example: 9 })
  hour: number;
  /** Messages that arrived in it. */
  @ApiProperty({ type: 'integer', example: 12 })
  count: number;
}

export function toHeatmapCellResponse({ day, hour, count }: HeatmapCell): HeatmapCellResponse {
  return { day, hour, count };
}
