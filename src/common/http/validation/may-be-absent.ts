import { ValidateIf } from 'class-validator';

/** For fields that may be left out but not cleared: unlike `IsOptional`, takes null for a value. */
export const MayBeAbsent = (): PropertyDecorator => ValidateIf((_body, value) => value !== undefined);
