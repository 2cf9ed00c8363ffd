import { escapeLike, isUnfiltered, mailConditions, mailFilter, mailTables, NO_FILTER } from './mail-filter';
import { tsqueryOf } from './search/word-query';

const filterOf = mailFilter;

describe('mailFilter', () => {
  it('should treat the wildcards of LIKE literally', () => {
    expect(escapeLike('50%_off\\now')).toBe('50\\%\\_off\\\\now');
    expect(filterOf({ sender: 'a%b' }).senderPattern).toBe('%a\\%b%');
  });

  it('should ignore empty filters', () => {
    const filter = filterOf({ q: '  ', sender: '', recipient: '', label: '\0' });
    expect(filter).toEqual(NO_FILTER);
    expect(isUnfiltered(filter)).toBe(true);
  });

  it('should include the instant at which a list was started, to its full precision', () => {
    const { archivedUntil } = filterOf({ archived_until: '2024-03-01T08:00:00.123Z' });
    expect(archivedUntil).toEqual(new Date('2024-03-01T08:00:00.124Z'));
    expect(() => filterOf({ archived_until: 'now' })).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ field: 'archived_until' })] }),
    );
  });
});

describe('mailConditions', () => {
  it('should number its parameters and never contain a value', () => {
    const filter = filterOf({
      q: "it's",
      sender: "o'neil",
      from_date: '2024-01-01',
      to_date: '2024-01-31',
      has_attachments: false,
    });
    const { where, parameters } = mailConditions('account', filter);
    expect(where).toBe(
      'w.account_id = $1 AND (w.words @@ $2::tsquery OR w.mail_id = ANY (ARRAY((SELECT mail_id FROM archived_mail_passages' +
        ' WHERE account_id = $1 AND words @@ $3::tsquery))))' +
        ' AND w.date >= $4 AND w.date < $5 AND NOT w.has_attachments' +
        ' AND m.account_id = $1 AND archived_sender_key(m.sender) IN (SELECT sender_key FROM archived_sender_names' +
        ' WHERE account_id = $1 AND lower(sender) LIKE lower($6))',
    );
    expect(parameters).toEqual([
      'account',
      "( ( 'it' <-> 's':* ) | 'its':* )",
      "( ( 'it' <-> 's':* ) | 'its':* )",
      new Date('2024-01-01T00:00:00Z'),
      new Date('2024-02-01T00:00:00Z'),
      "%o'neil%",
    ]);
    expect(mailTables(filter).from).toBe('archived_mail_words w JOIN archived_mails m ON m.id = w.mail_id');
  });

  it('should search for the excluded words when a search only excludes', () => {
    const filter = filterOf({ q: '-draft -"final report"' });
    expect(filter.words).toBeNull();
    expect(tsqueryOf(filter.exclusions!)).toBe("'draft' | ( 'final' <-> 'report' )");
    const { where, parameters } = mailConditions('account', filter);
    expect(where).toMatch(
      /^m\.account_id = \$1 AND NOT EXISTS \(.* w\.words @@ \$2::tsquery\) AND m\.id <> ALL \(.* UNION .*\)$/s,
    );
    expect(parameters).toEqual([
      'account',
      tsqueryOf(filter.exclusions!),
      "'draft'",
      "( 'final' <-> 'report' )",
    ]);
    expect(mailTables(filter).from).toBe('archived_mails m');
  });

  it('should read the mails themselves for text that their words lack', () => {
    const words = filterOf({ q: 'report', has_attachments: true, archived_until: '2024-03-01' });
    expect(mailTables(words).from).toBe('archived_mail_words w');
    expect(mailConditions('account', words).where).toContain('late.id = w.mail_id');
    for (const asked of [{ label: 'INBOX' }, { recipient: 'bob' }, { min_size: 1 }, { encrypted: false }]) {
      const filter = { ...words, ...filterOf({ q: 'report', archived_until: '2024-03-01', ...asked }) };
      expect(mailTables(filter).from).toBe('archived_mail_words w JOIN archived_mails m ON m.id = w.mail_id');
      const { where } = mailConditions('account', filter);
      expect(where).toMatch(/^w\.account_id = \$1 .* m\.account_id = \$1 .* m\.archived_at < \$\d$/);
    }
  });

  it('should compare labels, recipients, sizes and encryption', () => {
    const filter = filterOf({
      label: 'Label_1',
      recipient: 'b%b',
      min_size: 5,
      max_size: 9,
      encrypted: false,
    });
    const { where, parameters } = mailConditions('account', filter);
    expect(where).toBe(
      'm.account_id = $1 AND lower(m.recipient) LIKE lower($2) AND m.label_ids @> $3::text[]' +
        ' AND m.size_bytes >= $4 AND m.size_bytes <= $5 AND NOT m.is_encrypted',
    );
    expect(parameters).toEqual(['account', '%b\\%b%', ['Label_1'], 5, 9]);
  });

  it('should look at the sender of each mail when asked to', () => {
    const { where } = mailConditions('account', filterOf({ sender: 'a' }), 'each');
    expect(where).toBe('m.account_id = $1 AND lower(m.sender) LIKE lower($2)');
  });

  it.each(['☕', '*', '"', '-'])('should find nothing for %s, which is not a word', (q) => {
    expect(filterOf({ q }).words).toEqual({ any: [] });
  });

  it('should not use the words when nothing is searched for', () => {
    const filter = filterOf({ has_attachments: true });
    expect(mailConditions('account', filter).where).toBe('m.account_id = $1 AND m.has_attachments');
    expect(mailTables(filter).from).toBe('archived_mails m');
  });
});
