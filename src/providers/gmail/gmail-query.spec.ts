import { SearchTermNotSupported } from '../port/mail-provider.errors';
import { requireReadableQuery } from '../port/readable-query';
import { toGmailQuery } from './gmail-query';

const ACCOUNT = { id: '0d9e6a1c-7d5b-4c3a-9d0e-0f7f3c1a2b4d', email: 'ada@copper.example' };

describe('toGmailQuery', () => {
  it.each([
    ['from:ada  (copper OR pipe)', 'from:ada  (copper OR pipe)'],
    ['a AROUND 5 Müller', 'a AROUND 5 Müller'],
    ['from: Müller', 'from: Müller'],
    ['"Müller"', '"Müller"'],
    ['Müller', '{Müller muller mueller}'],
    ['-from:Mueller invoice', '-{from:Mueller from:müller from:muller} invoice'],
    ['{Müller -copper}', '{{Müller muller mueller} -copper}'],
    ['OBrien e-mail', '{OBrien "o\'brien"} {e-mail email}'],
    ['DE89370400440532013000', '{DE89370400440532013000 "DE89 3704 0044 0532 0130 00"}'],
    ['71450/36214 is:unread', '{71450/36214 7145036214} is:unread'],
    ['account:ADA copper', 'copper'],
    [`account:${ACCOUNT.id}`, ''],
    ['account:other', null],
    ['account:other OR from:bob', 'from:bob'],
  ])('should write %j as %j', (query, expected) => {
    expect(toGmailQuery(query, ACCOUNT)).toBe(expected);
  });

  it('should send as it was typed what would become too long', () => {
    const query = 'Müller '.repeat(250).trim();
    expect(toGmailQuery(query, ACCOUNT)).toBe(query);
    expect(toGmailQuery(`account:ada ${query}`, ACCOUNT)).toBe(query);
  });

  it('should refuse an account beside what only Gmail understands', () => {
    expect(() => toGmailQuery('account:ada a AROUND 5 b', ACCOUNT)).toThrow(SearchTermNotSupported);
  });
});

describe('a term that only the archive knows', () => {
  it.each([
    ['body:pipe', /"body:pipe"\. Leave out "body:"/],
    ['file:pipe', /"file:pipe"\. Only the archive/],
    ['cop*', /"cop\*"\. It finds whole words only/],
    ['is:odd', /"is:odd"\.$/],
  ])('should be refused with advice: %s', (query, detail) => {
    expect(() => requireReadableQuery({ provider: 'gmail' }, query)).toThrow(detail);
  });
});
