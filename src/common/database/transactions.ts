import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';

/** An open transaction, passed explicitly to repositories. */
export class Transaction {
  private readonly hooks: (() => void | Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  /** Runs `hook` once the transaction has committed; never when it was rolled back. */
  afterCommit(hook: () => void | Promise<void>): void {
    this.hooks.push(hook);
  }

  /** Work that may fail alone: what it wrote is undone, its error thrown, and the transaction can go on. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    const hooks = this.hooks.length;
    try {
      // A transaction within a transaction is a savepoint.
      return await this.manager.transaction(work);
    } catch (error) {
      this.hooks.length = hooks;
      throw error;
    }
  }

  async runHooks(): Promise<void> {
    for (const hook of this.hooks) await hook();
  }
}

/** Opens transactions; the service that owns the work draws the boundary. No network call belongs inside. */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    let opened: Transaction | undefined;
    const result = await this.dataSource.transaction(async (manager) => {
      opened = new Transaction(manager);
      return work(opened);
    });
    await opened?.runHooks();
    return result;
  }
}
