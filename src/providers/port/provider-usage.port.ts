/** Quota units, and calls as the provider counts them (each part of a batch). */
export interface SpentQuota {
  readonly units: number;
  readonly calls: number;
}

/** Bytes transferred between Mailroom and a provider. */
export interface TransferredBytes {
  readonly receivedBytes: number;
  readonly sentBytes: number;
}

/** Bytes of the last 24 hours, and the provider's limits; null when no limit is known. */
export interface DayTransfer extends TransferredBytes {
  readonly limits: TransferredBytes | null;
}

export interface EndpointUsage extends SpentQuota {
  /** The provider's method, e.g. `messages.get`. */
  readonly endpoint: string;
}

export interface HourUsage extends SpentQuota {
  /** Start of the clock hour, UTC. */
  readonly hour: Date;
}

export interface ProviderUsageReport {
  /** Wire name, e.g. `gmail`; null when the account is not the user's. */
  readonly provider: string | null;
  /** The last 60 clock seconds, the current one included. */
  readonly lastMinute: SpentQuota;
  /** The last 60 clock minutes, the current one included; `lastDay` likewise. */
  readonly lastHour: SpentQuota;
  readonly lastDay: SpentQuota;
  /** Null for providers where bytes are not counted. */
  readonly transfer: DayTransfer | null;
  /** Usage of the last day by endpoint, the most expensive first. */
  readonly endpoints: readonly EndpointUsage[];
  /** The last 24 clock hours, the current one included, oldest first; hours without use are there too. */
  readonly hours: readonly HourUsage[];
}

/** The quota that accounts have spent at the provider, over all processes. */
export abstract class ProviderUsage {
  /** Reports the usage of an account. Units that other processes have spent may be missing for a few seconds. */
  abstract report(userId: string, accountId: string): Promise<ProviderUsageReport>;

  /** Deletes the records from before this time, of all accounts. @returns how many records were deleted */
  abstract deleteBefore(instant: Date): Promise<number>;
}
