import { Injectable } from '@nestjs/common';
import { DataSource, EntityManager } from 'typeorm';
import { isDeadlock } from '../logging/system-errors';
import { runInTransaction } from './database-use';

/** Transactions that meet in a deadlock once more are few; more than these are a fault in the order of locks. */
const DEADLOCK_ATTEMPTS = 5;

/** An open transaction, passed explicitly to repositories. */
export class Transaction {
  private readonly hooks: (() => void | Promise<void>)[] = [];
  private readonly last: (() => Promise<void>)[] = [];

  constructor(readonly manager: EntityManager) {}

  /**
   * Runs `hook` once the transaction has committed; never when it was rolled back. One that fails keeps no other from
   * running, and undoes nothing: the caller of `run` gets the first error.
   */
  afterCommit(hook: () => void | Promise<void>): void {
    this.hooks.push(hook);
  }

  /**
   * Runs `work` inside the transaction, directly before it commits: for what takes a lock that everybody needs. Failing,
   * it undoes the whole transaction.
   */
  beforeCommit(work: () => Promise<void>): void {
    this.last.push(work);
  }

  /** Work that may fail alone: what it wrote is undone, its error thrown, and the transaction can go on. */
  async runInSavepoint<T>(work: () => Promise<T>): Promise<T> {
    const [hooks, last] = [this.hooks.length, this.last.length];
    try {
      // A transaction within a transaction is a savepoint.
      return await this.manager.transaction(work);
    } catch (error) {
      this.hooks.length = hooks;
      this.last.length = last;
      throw error;
    }
  }

  async runBeforeCommit(): Promise<void> {
    for (const work of this.last) await work();
  }

  async runHooks(): Promise<void> {
    const failures: unknown[] = [];
    for (const hook of this.hooks) {
      try {
        await hook();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

/** Opens transactions; the service that owns the work draws the boundary. No network call belongs inside. */
@Injectable()
export class Transactions {
  constructor(private readonly dataSource: DataSource) {}

  async run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    let opened: Transaction | undefined;
    const result = await this.dataSource.transaction(async (manager) => {
      const transaction = new Transaction(manager);
      opened = transaction;
      return runInTransaction(async () => {
        const done = await work(transaction);
        await transaction.runBeforeCommit();
        return done;
      });
    });
    await opened?.runHooks();
    return result;
  }

  /**
   * Runs work like `run`, and repeats it when PostgreSQL has rolled the transaction back to end a deadlock.
   * @param work has effects only through its transaction
   */
  async runRepeatable<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.run(work);
      } catch (error) {
        if (!isDeadlock(error) || attempt === DEADLOCK_ATTEMPTS) throw error;
      }
    }
  }
}
