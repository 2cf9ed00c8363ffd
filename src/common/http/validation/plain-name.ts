import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsNotEmpty, IsString } from 'class-validator';
import { MaxCharacters } from './max-characters';
import { IsPlainText } from './plain-text';

/** Text without the blanks around it. */
export const Trimmed = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.trim() : value));

/** What people call a thing of theirs: 1 to `maximum` characters, without the blanks around them. */
export const PlainName = (maximum: number): PropertyDecorator =>
  applyDecorators(Trimmed(), IsString(), IsNotEmpty(), IsPlainText(), MaxCharacters(maximum));
