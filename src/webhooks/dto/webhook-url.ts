import { applyDecorators } from '@nestjs/common';
import { IsString, ValidateBy } from 'class-validator';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { parseUrl } from '../../common/url/parse-url';

export const MAX_URL = 2_048;

/** `http://` or `https://` written out, nothing a parser would have to take away first, no user name or password. */
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
