import { applyDecorators } from '@nestjs/common';
import { Transform, Type } from 'class-transformer';
import { IsBoolean, IsInt, IsOptional, Max, Min } from 'class-validator';

/** Offsets stay far inside what the database counts with. */
export const MAX_PAGE = 10_000_000;

/** A query parameter `true` or `false` as a boolean; anything else is a 400. */
export function QueryBoolean(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Transform(({ value }: { value: unknown }) =>
      value === 'true' ? true : value === 'false' ? false : value,
    ),
    IsBoolean(),
  );
}

/** A query parameter that must be an integer ≥ 1; above `maximum` it is lowered to it, as the contract has it. */
export function QueryLimit(maximum: number): PropertyDecorator {
  return applyDecorators(
    Transform(({ value }: { value: unknown }) => {
      const number = Number(value);
      return Number.isInteger(number) && number > maximum ? maximum : number;
    }),
    IsInt(),
    Min(1),
  );
}

/** `page`: an integer from 1 to 10,000,000. */
export function QueryPage(): PropertyDecorator {
  return applyDecorators(
    Type(() => Number),
    IsInt(),
    Min(1),
    Max(MAX_PAGE),
  );
}

/** A number of bytes. */
export function QuerySize(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    Type(() => Number),
    IsInt(),
    Min(0),
    Max(Number.MAX_SAFE_INTEGER),
  );
}
