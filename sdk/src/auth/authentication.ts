/** What the calls of a client are made with. */
export interface Authentication {
  /** The bearer token of the next call; null for none. @throws MailroomError when there is no getting one */
  token(): Promise<string | null>;
  /** The service did not take `rejected`, which is null for a call without one. @returns whether to call again */
  renew(rejected: string | null): Promise<boolean>;
}

/** Calls without a token: what is public. */
export const anonymous: Authentication = {
  token: () => Promise.resolve(null),
  renew: () => Promise.resolve(false),
};

/** A token from elsewhere: an API key, or whatever a function answers, asked again when the service refuses it. */
export class GivenToken implements Authentication {
  constructor(private readonly source: string | (() => string | Promise<string>)) {}

  async token(): Promise<string> {
    return typeof this.source === 'string' ? this.source : this.source();
  }

  async renew(rejected: string | null): Promise<boolean> {
    return typeof this.source !== 'string' && (await this.source()) !== rejected;
  }
}
