import { parseQuery, type QueryNode } from './query-parser';
import { compileSearch, type SearchFacts, type SearchSubject } from './search-compiler';
import { SearchTermUnsupported } from './search-terms';
import { containsPhrase, searchWords } from './search-values';
import { phraseOf } from './search-terms';

function written(node: QueryNode): string {
  if (node.kind === 'term')
    return node.operator === undefined ? node.value : `${node.operator}=${node.value}`;
  if (node.kind === 'not') return `not(${written(node.child)})`;
  return `${node.kind}(${node.children.map(written).join(', ')})`;
}

describe('parseQuery', () => {
  it.each([
    ['one two', 'and(one, two)'],
    ['one AND two', 'and(one, two)'],
    ['a b OR c', 'and(a, or(b, c))'],
    ['a | b', 'or(a, b)'],
    ['{a b c}', 'or(a, b, c)'],
    ['(a b) OR c', 'or(and(a, b), c)'],
    ['-a', 'not(a)'],
    ['!a', 'not(a)'],
    ['-(a b)', 'not(and(a, b))'],
    ['-from:x', 'not(from=x)'],
    ['from:(a b)', 'and(from=a, from=b)'],
    ['from:{a b}', 'or(from=a, from=b)'],
    ['from:(a OR b)', 'or(from=a, from=b)'],
    ['subject:(-a)', 'not(subject=a)'],
    ['from:"a b" c', 'and(from=a b, c)'],
    ['"a OR b"', 'a OR b'],
    ['or and', 'and(or, and)'],
    ['From:X', 'from=X'],
    ['unknown:thing', 'unknown:thing'],
    ['a@b.example', 'a@b.example'],
    ['dinner AROUND 5 friday', 'and(dinner, friday)'],
    ['a - b', 'and(a, b)'],
    [')a( b', 'and(a, b)'],
    ['"open', 'open'],
    ['', 'and()'],
    ['OR', 'and()'],
    ['{a ()}', 'a'],
    ['--a', 'not(a)'],
    ['-!a', 'not(a)'],
    ['-(-a)', 'not(not(a))'],
    ['“a b” c', 'and(a b, c)'],
    ['file://a', 'file://a'],
    ['body:(a b*)', 'and(body=a, body=b*)'],
    ['{a -b}', 'or(a, not(b))'],
    ['from:(news) -subject:(invoice) larger:5000000', 'and(from=news, not(subject=invoice), larger=5000000)'],
  ])('should read %j as %s', (query, expected) => {
    expect(written(parseQuery(query))).toBe(expected);
  });

  it.each([
    ['a from:ada', 'from:ada'],
    ['a from:(x y)', 'y'],
    ['a "b c"', '"b c"'],
    ['a -is:“unread”', 'is:“unread”'],
  ])('should tell where the last term of %j stands', (query, expected) => {
    const last = (node: QueryNode): QueryNode =>
      node.kind === 'term' ? node : last(node.kind === 'not' ? node.child : node.children.at(-1)!);
    const { offset, length } = last(parseQuery(query)) as QueryNode & { kind: 'term' };
    expect(query.slice(offset, offset + length)).toBe(expected);
  });

  it('should survive thousands of brackets', () => {
    expect(() => parseQuery('('.repeat(20_000) + 'a')).not.toThrow();
    expect(() => parseQuery('-{'.repeat(20_000))).not.toThrow();
    expect(() => parseQuery(`${'-'.repeat(50_001)}${'from:'.repeat(20_000)}a`)).not.toThrow();
  });
});

const NOW = Date.UTC(2025, 5, 15, 12);
const facts: SearchFacts = {
  from: 'Élodie Martin <elodie.martin@example.org>',
  to: 'Me <me@sandbox.test>',
  cc: 'team@firm.example',
  bcc: '',
  subject: 'Re: Budget draft – réunion',
  replyTo: 'Office <answers@example.org>',
  deliveredTo: 'me@sandbox.test',
  list: 'Builders <builders.lists.example>',
  messageId: 'abc.1@mail.example',
  attachmentNames: ['Reçu n°12.pdf'],
  hasAttachment: true,
};
const subject: SearchSubject = {
  labels: new Set(['INBOX', 'UNREAD', 'CATEGORY_PERSONAL', 'Label_3']),
  internalDate: Date.UTC(2025, 5, 10, 8, 30),
  facts: () => facts,
  size: () => 50_000,
  hasText: (term) =>
    containsPhrase(searchWords('Please bring the keys to the office. Prix : 12 €'), phraseOf(term)),
};
const context = {
  now: NOW,
  email: 'me@sandbox.test',
  accountId: '0d9e6a1c-7d5b-4c3a-9d0e-0f7f3c1a2b4d',
  labelId: (name: string) =>
    ({ inbox: 'INBOX', spam: 'SPAM', 'travel-2025': 'Label_3', 'Travel/2025': 'Label_3' })[name],
  isUserLabel: (id: string) => id.startsWith('Label_'),
  isSpelled: false,
  unreadable: 'matches-nothing' as const,
};

describe('compileSearch', () => {
  it.each([
    ['from:elodie', true],
    ['from:Élodie', true],
    ['from:elod', false],
    ['from:elod*', true],
    ['from:lodie*', false],
    ['from:"elod*"', false],
    ['subject:*eunion', true],
    ['subject:*reunio', false],
    ['subject:*réunion', true],
    ['replyto:answers', true],
    ['replyto:elodie', false],
    ['bu*', true],
    ['of*', true],
    ['ffice*', false],
    ['"the off*"', false],
    ['body:office', true],
    ['body:offi*', true],
    ['body:budget', false],
    ['account:sandbox.test', true],
    ['account:0d9e6a1c-7d5b-4c3a-9d0e-0f7f3c1a2b4d', true],
    ['account:other', false],
    ['from:elodie.martin@example.org', true],
    ['from:example.org', true],
    ['from:me', false],
    ['to:me', true],
    ['cc:team', true],
    ['bcc:team', false],
    ['subject:budget', true],
    ['subject:"budget draft"', true],
    ['subject:"draft budget"', false],
    ['subject:(budget reunion)', true],
    ['subject:(budget missing)', false],
    ['subject:{budget missing}', true],
    ['list:builders.lists.example', true],
    ['deliveredto:me@sandbox.test', true],
    ['filename:pdf', true],
    ['filename:"Reçu n°12.pdf"', true],
    ['filename:zip', false],
    ['rfc822msgid:<abc.1@mail.example>', true],
    ['rfc822msgid:abc.1', false],
    ['label:travel-2025', true],
    ['label:"Travel/2025"', true],
    ['label:nowhere', false],
    ['in:inbox', true],
    ['in:archive', false],
    ['in:anywhere', true],
    ['is:unread', true],
    ['is:read', false],
    ['is:starred', false],
    ['is:nonsense', false],
    ['has:attachment', true],
    ['has:userlabels', true],
    ['has:nouserlabels', false],
    ['category:primary', true],
    ['category:promotions', false],
    ['after:2025/06/10', true],
    ['after:2025/06/11', false],
    ['before:2025-06-11', true],
    ['before:6/10/2025', false],
    [`after:${Date.UTC(2025, 5, 10, 8, 30) / 1000}`, true],
    [`before:${Date.UTC(2025, 5, 10, 8, 30) / 1000}`, false],
    ['newer_than:6d', true],
    ['newer_than:5d', false],
    ['older_than:5d', true],
    ['older_than:1m', false],
    ['older_than:nonsense', false],
    ['larger:49K', false],
    ['larger:48k', true],
    ['size:50000', false],
    ['size:49999', true],
    ['smaller:1M', true],
    ['keys', true],
    ['key', false],
    ['"keys to the office"', true],
    ['"office keys"', false],
    ['budget keys', true],
    ['budget -keys', false],
    ['missing OR keys', true],
    ['-missing', true],
    ['reçu', true],
    ['-{keys missing}', false],
    ['', true],
  ])('should match %j: %s', (query, expected) => {
    expect(compileSearch(query, context).matches(subject)).toBe(expected);
  });

  it('should not build the text when cheaper conditions decide', () => {
    const hasText = jest.fn(() => false);
    const lazy = { ...subject, hasText };
    expect(compileSearch('keys from:nobody', context).matches(lazy)).toBe(false);
    expect(compileSearch('{keys in:inbox}', context).matches(lazy)).toBe(true);
    expect(hasText).not.toHaveBeenCalled();
  });

  it.each([
    'label:nowhere', 'in:nowhere', 'is:nonsense', 'has:nonsense', 'category:nonsense', 'older_than:nonsense',
    'larger:0.1M', 'after:2025/02/31', 'from:""', '"', 'filename:*', 'rfc822msgid:<>', 'in:snoozed', '***',
  ])('should refuse %j by name, negated or not', (query) => {
    const refusing = { ...context, unreadable: 'refused' as const };
    expect(() => compileSearch(query, refusing)).toThrow(SearchTermUnsupported);
    expect(() => compileSearch(`keys -${query}`, refusing)).toThrow(SearchTermUnsupported);
  }); // prettier-ignore

  it.each([
    ['in:spam', true, false],
    ['in:trash x', false, true],
    ['label:spam', true, false],
    ['{in:anywhere from:x}', true, true],
    ['-in:spam', false, false],
    ['spam trash', false, false],
  ])('should report what %j needs to read', (query, spam, trash) => {
    expect(compileSearch(query, context)).toMatchObject({ wantsSpam: spam, wantsTrash: trash });
  });
});
