import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsUUID } from 'class-validator';
import { MAX_SAVED_SEARCHES } from '../saved-searches.errors';

export class ReorderSavedSearchesDto {
  /**
   * The searches in their new order. Those that are not named come after these, in the order they have.
   * @example ["01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d", "01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4e"]
   */
  @ApiProperty({
    type: [String],
    format: 'uuid',
    minItems: 1,
    maxItems: MAX_SAVED_SEARCHES,
    uniqueItems: true,
  })
  // One id in two spellings is the same id.
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value)
      ? value.map((id: unknown) => (typeof id === 'string' ? id.toLowerCase() : id))
      : value,
  )
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_SAVED_SEARCHES)
  @IsUUID(undefined, { each: true })
  @ArrayUnique()
  ids: string[];
}
