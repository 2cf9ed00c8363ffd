import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, IsUUID, Max, Min, ValidateIf } from 'class-validator';
import { MAX_SELECTED } from '../selections.errors';

/** Declares the field `selectionId` of requests that change the messages of a selection. */
export const SelectionId = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'A selection of this mailbox, in place of message ids; see `POST …/selections`.',
      format: 'uuid',
      example: '01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d',
    }),
    IsOptional(),
    IsUUID(),
  );

/** Declares the field `confirmedCount` of these requests. */
export const ConfirmedCount = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'With `selectionId`: its `count`, as a person has confirmed it. Another number is refused.',
      type: 'integer',
      minimum: 1,
      maximum: MAX_SELECTED,
      example: 4_780,
    }),
    ValidateIf(
      ({ selectionId, confirmedCount }: { selectionId?: unknown; confirmedCount?: unknown }) =>
        selectionId != null || confirmedCount != null,
    ),
    IsInt(),
    Min(1),
    Max(MAX_SELECTED),
  );
