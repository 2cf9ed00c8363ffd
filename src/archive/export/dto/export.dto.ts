import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsUUID } from 'class-validator';
import { QueryBoolean } from '../../../platform/validation/query-transforms';

/** Mails to put into a ZIP. */
export class ExportZipDto {
  /** Ids of archived mails, 1–10,000. */
  @ApiProperty({ type: [String], format: 'uuid', example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(10_000)
  @IsUUID('all', { each: true })
  mailIds: string[];
}

export class ExportZipQuery {
  /** Deflate the entries instead of storing them: a smaller file, at a fifth of the speed. */
  @ApiPropertyOptional({ type: Boolean, default: false, example: true })
  @QueryBoolean()
  compress?: boolean;
}
