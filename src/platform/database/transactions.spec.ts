import type { DataSource } from 'typeorm';
import { Transaction, Transactions } from './transactions';

describe('Transactions', () => {
  let log: string[];
  let sut: Transactions;

  beforeEach(() => {
    log = [];
    const wrapped =
      (begin: string, commit: string, rollback: string) =>
      async (work: (manager: unknown) => Promise<unknown>): Promise<unknown> => {
        log.push(begin);
        try {
          const result = await work({ transaction: wrapped('savepoint', 'release', 'rollback to') });
          log.push(commit);
          return result;
        } catch (error) {
          log.push(rollback);
          throw error;
        }
      };
    const transaction = wrapped('begin', 'commit', 'rollback');
    sut = new Transactions({ transaction } as unknown as DataSource);
  });

  const last = (transaction: Transaction, what: string): void =>
    transaction.beforeCommit(async () => void log.push(what));
  const later = (transaction: Transaction, what: string): void =>
    transaction.afterCommit(() => void log.push(what));

  it('should run last steps before the commit and hooks after it, each in order, and return the result', async () => {
    const result = await sut.run(async (transaction) => {
      later(transaction, 'hook 1');
      last(transaction, 'last 1');
      last(transaction, 'last 2');
      later(transaction, 'hook 2');
      log.push('work');
      return 42;
    });
    expect(result).toBe(42);
    expect(log).toEqual(['begin', 'work', 'last 1', 'last 2', 'commit', 'hook 1', 'hook 2']);
  });

  it('should run neither when the work fails', async () => {
    const running = sut.run(async (transaction) => {
      last(transaction, 'last');
      later(transaction, 'hook');
      throw new Error('no');
    });
    await expect(running).rejects.toThrow('no');
    expect(log).toEqual(['begin', 'rollback']);
  });

  it('should roll back everything when a last step fails', async () => {
    const running = sut.run(async (transaction) => {
      later(transaction, 'hook');
      transaction.beforeCommit(() => Promise.reject(new Error('locked')));
      last(transaction, 'last');
    });
    await expect(running).rejects.toThrow('locked');
    expect(log).toEqual(['begin', 'rollback']);
  });

  it('should run what last steps and hooks add', async () => {
    await sut.run(async (transaction) => {
      transaction.beforeCommit(async () => {
        last(transaction, 'added last');
        later(transaction, 'added hook');
      });
      transaction.afterCommit(() => later(transaction, 'added by a hook'));
    });
    expect(log).toEqual(['begin', 'added last', 'commit', 'added hook', 'added by a hook']);
  });

  it('should run every hook and then fail with the first failure', async () => {
    const running = sut.run(async (transaction) => {
      transaction.afterCommit(() => Promise.reject(new Error('first')));
      later(transaction, 'hook');
      transaction.afterCommit(() => {
        throw new Error('second');
      });
    });
    await expect(running).rejects.toThrow('first');
    expect(log).toEqual(['begin', 'commit', 'hook']);
  });

  it('should forget only what a failed attempt added, however deeply nested', async () => {
    await sut.run(async (transaction) => {
      last(transaction, 'outer');
      const failing = transaction.runInSavepoint(async () => {
        last(transaction, 'undone');
        later(transaction, 'undone');
        await transaction.runInSavepoint(async () => last(transaction, 'undone with it'));
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      await transaction.runInSavepoint(async () => {
        last(transaction, 'kept');
        later(transaction, 'hook');
      });
    });
    expect(log).toEqual([
      'begin',
      'savepoint',
      'savepoint',
      'release',
      'rollback to',
      'savepoint',
      'release',
      'outer',
      'kept',
      'commit',
      'hook',
    ]);
  });
});
