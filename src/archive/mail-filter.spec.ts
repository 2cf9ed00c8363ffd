import { escapeLike, mailConditions, mailFilter, mailTables } from './mail-filter';

const filterOf = (query: object) => mailFilter({ page: 1, limit: 50, ...query });

describe('mailFilter', () => {
  it('should take wildcards of LIKE literally', () => {
    expect(escapeLike('50%_off\\now')).toBe('50\\%\\_off\\\\now');
    expect(filterOf({ sender: 'a%b' }).senderPattern).toBe('%a\\%b%');
  });

  it('should ignore filters that say nothing', () => {
    expect(filterOf({ q: '  ', sender: '' })).toEqual({
      words: null,
      senderPattern: null,
      from: null,
      until: null,
      hasAttachments: null,
    });
  });
});

describe('mailConditions', () => {
  it('should number its parameters and never hold a value', () => {
    const filter = filterOf({
      q: "it's",
      sender: "o'neil",
      from_date: '2024-01-01',
      to_date: '2024-01-31',
      has_attachments: false,
    });
    const { where, parameters } = mailConditions('account', filter);
    expect(where).toBe(
      'w.account_id = $1 AND w.words @@ $2::tsquery AND w.date >= $3 AND w.date < $4 AND NOT w.has_attachments' +
        ' AND lower(m.sender) LIKE lower($5)',
    );
    expect(parameters).toEqual([
      'account',
      filter.words,
      new Date('2024-01-01T00:00:00Z'),
      new Date('2024-02-01T00:00:00Z'),
      "%o'neil%",
    ]);
    expect(mailTables(filter).from).toBe('archived_mail_words w JOIN archived_mails m ON m.id = w.mail_id');
  });

  it.each(['☕', '*', '"', '-'])('should find nothing for %s, which is no word', (q) => {
    expect(filterOf({ q }).words).toBe('');
  });

  it('should leave the words alone when nothing is searched for', () => {
    const filter = filterOf({ has_attachments: true });
    expect(mailConditions('account', filter).where).toBe('m.account_id = $1 AND m.has_attachments');
    expect(mailTables(filter).from).toBe('archived_mails m');
  });
});
