import { IsIn, IsOptional, IsUUID } from 'class-validator';

/** Mail providers there is an adapter for. */
const PROVIDERS = ['gmail'] as const;

/** Which mailbox is to be connected. */
export class ConnectQuery {
  /** Where the mailbox is.
   * @example gmail */
  @IsIn(PROVIDERS)
  provider: 'gmail';

  /** An account of the caller to be connected again; the provider's page then suggests its address.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;
}
