import { addressesInHosts, namesToAsk, searchRules } from './name-files';

const HOSTS = `# comment about store.inside
127.0.0.1\tlocalhost
::1 localhost ip6-localhost
10.1.2.3   Store.Inside store # old.inside
10.1.2.4 store.inside
10.1.2.5
`;

describe('addressesInHosts', () => {
  it.each([
    ['store.inside', ['10.1.2.3', '10.1.2.4']],
    ['STORE.inside.', ['10.1.2.3', '10.1.2.4']],
    ['store', ['10.1.2.3']],
    ['localhost', ['127.0.0.1', '::1']],
    ['old.inside', []],
    ['inside', []],
    ['10.1.2.5', []],
    ['', []],
  ])('should find %j at %j', (host, expected) => {
    expect(addressesInHosts(HOSTS, host)).toEqual(expected);
  });

  it('should know localhost without a file, and nothing else', () => {
    expect(addressesInHosts('', 'localhost.')).toEqual(['127.0.0.1', '::1']);
    expect(addressesInHosts('', 'a.localhost')).toEqual(['127.0.0.1', '::1']);
    expect(addressesInHosts('', 'notlocalhost')).toEqual([]);
  });
});

describe('searchRules', () => {
  it.each([
    ['', { search: [], ndots: 1 }],
    [
      'nameserver 10.0.0.2\nsearch a.test b.test.\noptions edns0 ndots:5 trust-ad',
      { search: ['a.test', 'b.test'], ndots: 5 },
    ],
    ['domain a.test\nsearch b.test', { search: ['b.test'], ndots: 1 }],
    ['search b.test\ndomain a.test', { search: ['a.test'], ndots: 1 }],
    ['search .', { search: [], ndots: 1 }],
    ['options ndots:0', { search: [], ndots: 0 }],
    ['options ndots:99', { search: [], ndots: 15 }],
    ['#search a.test\nsearch 1 2 3 4 5 6 7 8', { search: ['1', '2', '3', '4', '5', '6'], ndots: 1 }],
  ])('should read %j', (text, expected) => {
    expect(searchRules(text)).toEqual(expected);
  });
});

describe('namesToAsk', () => {
  it.each([
    ['store', 1, ['store.a.test', 'store.b.test', 'store']],
    ['store.inside', 1, ['store.inside', 'store.inside.a.test', 'store.inside.b.test']],
    ['store.inside', 5, ['store.inside.a.test', 'store.inside.b.test', 'store.inside']],
    ['store', 0, ['store', 'store.a.test', 'store.b.test']],
    ['store.', 5, ['store']],
  ])('should ask for %j with ndots %d', (host, ndots, expected) => {
    expect(namesToAsk(host, { search: ['a.test', 'b.test'], ndots })).toEqual(expected);
  });
});
