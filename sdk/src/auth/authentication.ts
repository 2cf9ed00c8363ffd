/** Authentication of the calls of a client. */
export interface Authentication {
  /** Bearer token of the next call; null for none. @throws MailroomError when no token can be obtained */
  token(): Promise<string | null>;
  /** Called when the service refused `rejected`, which is null for a call without a token. @returns whether to call again */
  renew(rejected: string | null): Promise<boolean>;
}

/** Authentication of public calls, which need no token. */
export const anonymous: Authentication = {
  token: () => Promise.resolve(null),
  renew: () => Promise.resolve(false),
};

/** A given token: an API key, or the result of a function, which is called again when the service refuses a token. */
export class GivenToken implements Authentication {
  constructor(private readonly source: string | (() => string | Promise<string>)) {}

  async token(): Promise<string> {
    return typeof this.source === 'string' ? this.source : this.source();
  }

  async renew(rejected: string | null): Promise<boolean> {
    return typeof this.source !== 'string' && (await this.source()) !== rejected;
  }
}
