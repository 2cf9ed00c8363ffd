import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMinSize, IsArray, IsIn, IsString, ValidateBy } from 'class-validator';
import { parseUrl } from '../../../platform/egress/parse-url';
import { MaxCharacters, MayBeAbsent, PlainName } from '../../../platform/validation/field-rules';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../platform/events/events';
import { WEBHOOK_TYPES, type WebhookType } from '../webhook.entity';

export const MAX_URL = 2_048;

/** An `http://` or `https://` address without white space, control characters, user name or password. */
export function isWebhookUrl(value: unknown): boolean {
  if (typeof value !== 'string' || !/^https?:\/\/[^\s\p{Cc}\p{Cs}]+$/iu.test(value)) return false;
  const url = parseUrl(value);
  return url?.username === '' && url.password === '';
}

export function WebhookUrl(): PropertyDecorator {
  return applyDecorators(
    IsString(),
    MaxCharacters(MAX_URL),
    ValidateBy({
      name: 'isWebhookUrl',
      validator: {
        validate: isWebhookUrl,
        defaultMessage: () => '$property must be an http or https address without user name and password',
      },
    }),
  );
}

const MAX_NAME = 100;

/** Fields of creation and change. */
class WebhookFields {
  /** Display name, 1–100 characters. */
  @ApiProperty({ minLength: 1, maxLength: MAX_NAME, example: 'Chat of the team' })
  @PlainName(MAX_NAME)
  name: string;

  /** The address that events are posted to: http or https, without user name and password. */
  @ApiProperty({ format: 'uri', maxLength: MAX_URL, example: 'https://hooks.example.org/mailroom' })
  @WebhookUrl()
  url: string;

  /** The format of the receiver. */
  @ApiPropertyOptional({
    enum: WEBHOOK_TYPES,
    enumName: 'WebhookType',
    example: 'generic',
  })
  @MayBeAbsent()
  @IsIn(WEBHOOK_TYPES)
  type?: WebhookType;

  /** The events to deliver; repetitions are ignored. */
  @ApiProperty({
    enum: WEBHOOK_EVENTS,
    enumName: 'WebhookEvent',
    isArray: true,
    minItems: 1,
    example: ['job.failed', 'quota.warning'],
  })
  @Transform(({ value }: { value: unknown }) => (Array.isArray(value) ? [...new Set<unknown>(value)] : value))
  @IsArray()
  @ArrayMinSize(1)
  @IsIn(WEBHOOK_EVENTS, { each: true })
  events: WebhookEvent[];
}

export class CreateWebhookDto extends WebhookFields {
  /** The format of the receiver. */
  @ApiPropertyOptional({ enum: WEBHOOK_TYPES, enumName: 'WebhookType', default: 'generic' })
  override type?: WebhookType = 'generic';
}

/** Absent fields stay as they are. */
export class UpdateWebhookDto extends PartialType(WebhookFields, { skipNullProperties: false }) {}
