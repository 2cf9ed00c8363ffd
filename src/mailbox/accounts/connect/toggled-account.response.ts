import { ApiProperty } from '@nestjs/swagger';
/** An account just switched on or off. */
export class ToggledAccountResponse {
  /** @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @ApiProperty({ format: 'uuid' })
  id: string;
  /** Whether live routes and jobs may use the mailbox now. */
  is_active: boolean;
}
