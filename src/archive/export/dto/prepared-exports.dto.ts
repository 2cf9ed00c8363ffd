import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { ChosenMailsDto } from '../../mails/dto/chosen-mails.dto';
import { EXPORT_FORMATS, type ExportFormat } from '../prepared/prepared-export.entity';

/** Mails to export, and the format. */
export class PrepareExportDto extends ChosenMailsDto {
  /** `zip`: EML files and a manifest with their SHA-256 hashes; `mbox`: one mboxrd file, oldest mail first. */
  @ApiProperty({ enum: EXPORT_FORMATS, example: 'zip' })
  @IsIn(EXPORT_FORMATS)
  format: ExportFormat;

  /** Deflate the entries of a ZIP instead of storing them: a smaller file, at a fifth of the speed. */
  @ApiPropertyOptional({ default: false, example: true })
  @IsOptional()
  @IsBoolean()
  compress?: boolean | null;
}
