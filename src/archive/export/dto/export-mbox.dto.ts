import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsOptional, IsUUID } from 'class-validator';

/** Mails to put into an mbox file. */
export class ExportMboxDto {
  /** Ids of archived mails, 1–50,000; all mails of the account when omitted. */
  @ApiPropertyOptional({ type: [String], format: 'uuid', example: ['01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50_000)
  @IsUUID('all', { each: true })
  mailIds?: string[] | null;
}
