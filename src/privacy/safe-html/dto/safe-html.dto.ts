import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { DOCUMENT_LANGUAGES, type DocumentLanguage } from '../rendering/document-texts';

export class SafeHtmlQuery {
  /** Language of the texts that the service puts into the document, such as the names above a message in a message. */
  @ApiPropertyOptional({ enum: DOCUMENT_LANGUAGES, default: 'en', example: 'fr' })
  @IsOptional()
  @IsIn(DOCUMENT_LANGUAGES)
  lang: DocumentLanguage = 'en';
}
