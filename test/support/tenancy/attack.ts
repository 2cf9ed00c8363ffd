import type { TestUser } from '../test-user';
import type { TenancyHost } from './tenancy-host';
import type { ActionName } from './victim';

/** The attacking user, with as many mailboxes as a user may have. */
export interface Attacker {
  readonly host: TenancyHost;
  readonly user: TestUser;
  /** Accounts of mailboxes of 50 messages each. */
  readonly accountIds: readonly string[];
  /** Their addresses. */
  readonly mailboxes: readonly string[];
}

/** An attempt of one user to exhaust a resource that all users share. */
export abstract class Attack {
  /** A short description. */
  abstract readonly name: string;
  /** The operations that it could slow down besides the usual ones. */
  readonly aims: readonly ActionName[] = [];
  private readonly endings: (() => Promise<unknown> | void)[] = [];

  /** Resolves when it is in full swing. @throws when it could not even begin */
  abstract start(attacker: Attacker): Promise<void>;

  /** Releases everything, whether it has started or not. */
  async stop(): Promise<void> {
    for (const end of this.endings.splice(0).reverse()) await end();
  }

  protected atEnd(end: () => Promise<unknown> | void): void {
    this.endings.push(end);
  }
}

const MAX_ACCOUNTS = 5;

let attackers = 0;

export async function newAttacker(host: TenancyHost): Promise<Attacker> {
  attackers += 1;
  const name = `attacker${attackers}`;
  const user = await host.user(name);
  const mailboxes = Array.from({ length: MAX_ACCOUNTS }, (_, n) => `${name}.${n}-50@sandbox.mailroom.test`);
  const accountIds: string[] = [];
  for (const mailbox of mailboxes) accountIds.push(await user.connect(mailbox));
  return { host, user, accountIds, mailboxes };
}
