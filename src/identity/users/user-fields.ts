import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsString, MaxLength } from 'class-validator';
import { IsEmailAddress, MAX_EMAIL_LENGTH } from '../../platform/validation/field-rules';

/** The form in which addresses are stored and compared: lower-case, without surrounding blanks. */
export function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}

export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;

/** An e-mail address, normalised. */
export function EmailAddress(): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? normalizeEmail(value) : value)),
    ApiProperty({ format: 'email', maxLength: MAX_EMAIL_LENGTH }),
    MaxLength(MAX_EMAIL_LENGTH),
    IsEmailAddress(),
    IsString(),
  );
}
