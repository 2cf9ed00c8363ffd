import { loadOrder } from './load-order';

describe('loadOrder', () => {
  it('should load referenced rows first', () => {
    const references = [
      { table: 'mails', target: 'accounts' },
      { table: 'accounts', target: 'users' },
      { table: 'mails', target: 'users' },
      { table: 'threads', target: 'threads' },
      { table: 'users', target: 'not restored' },
    ];
    expect(loadOrder(['mails', 'threads', 'accounts', 'users'], references)).toEqual([
      'threads',
      'users',
      'accounts',
      'mails',
    ]);
  });

  it('should refuse tables that refer to each other', () => {
    const references = [
      { table: 'a', target: 'b' },
      { table: 'b', target: 'a' },
    ];
    expect(() => loadOrder(['a', 'b'], references)).toThrow('a, b');
  });
});
