import { IsIn, IsOptional, IsUUID } from 'class-validator';

/** Mail providers that have an adapter. */
const PROVIDERS = ['gmail'] as const;

/** The mailbox to connect. */
export class ConnectQuery {
  /** Provider of the mailbox.
   * @example gmail */
  @IsIn(PROVIDERS)
  provider: 'gmail';

  /** An account of the caller to connect again; the provider's page then suggests its address.
   * @example 01932c5e-7d5b-7c3a-9d0e-0f7f3c1a2b4d */
  @IsOptional()
  @IsUUID()
  accountId?: string;
}
