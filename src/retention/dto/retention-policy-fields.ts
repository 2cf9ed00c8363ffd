import { applyDecorators } from '@nestjs/common';
import { IsInt, IsNotEmpty, IsOptional, IsString, IsUUID, Max, Min } from 'class-validator';
import { MaxCharacters } from '../../common/http/validation/max-characters';
import { PlainName, Trimmed } from '../../common/http/validation/plain-name';
import { IsPlainText } from '../../common/http/validation/plain-text';

export const MAX_NAME = 255;
/** Longer than any provider's label. */
export const MAX_LABEL = 255;
/** A hundred years: no archive is older, and no date before it overflows. */
export const MAX_AGE_DAYS = 36_500;

/** Without the blanks around it. */
export function PolicyName(): PropertyDecorator {
  return PlainName(MAX_NAME);
}

export function PolicyAccountId(): PropertyDecorator {
  return applyDecorators(IsOptional(), IsUUID());
}

/** A blank one is refused: taken for none, it would remove mail of every label. */
export function PolicyLabel(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Trimmed(),
    IsString(),
    IsNotEmpty(),
    IsPlainText(),
    MaxCharacters(MAX_LABEL),
  );
}

export function PolicyMaxAgeDays(): PropertyDecorator {
  return applyDecorators(IsInt(), Min(1), Max(MAX_AGE_DAYS));
}
