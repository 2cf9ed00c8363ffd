import { gzipSync } from 'node:zlib';
import { type Entries, tarOf, zipOf } from '../../../../test/support/archive/built-archives';
import { closeExtents, extentOf } from '../../../../test/support/archive/extents';
import { UnpackBudget } from '../containers/unpack-budget';
import { BEGINNING, ImportWalk, type WalkedItem } from './import-walk';
import type { OutlookRebuilder } from '../outlook/outlook-rebuilder';
import { mailFormats } from './mail-formats';

const mail = (subject: string, ...more: string[]): string =>
  [...more, 'From: Nora Feld <nora@sender.example>', `Subject: ${subject}`, '', 'text', ''].join('\n');
const mbox = (...subjects: string[]): string =>
  subjects.map((subject) => `From - Tue Mar  3 10:00:00 2020\n${mail(subject)}\n`).join('');
const emlx = (message: string, flags: number): string =>
  `${Buffer.byteLength(message)}        \n${message}<?xml version="1.0"?>\n<plist version="1.0"><dict>\n` +
  `<key>date-received</key>\n<integer>1583229600</integer>\n<key>flags</key>\n<integer>${flags}</integer>\n</dict></plist>\n`;

describe('The folders of mail programs', () => {
  afterEach(closeExtents);

  const itemsOf = async (bytes: Buffer): Promise<WalkedItem[]> => {
    const { signal } = new AbortController();
    const limits = { maxUnpackedBytes: 2 ** 30, maxFiles: 1_000 };
    const budget = new UnpackBudget(limits, bytes.length, signal);
    const spool = {
      pathOf: (): string => '/nowhere',
      hasRoom: () => Promise.resolve(true),
      delete: () => Promise.resolve(),
    };
    const items: WalkedItem[] = [];
    const sut = new ImportWalk(
      { file: await extentOf(bytes) },
      {
        formats: mailFormats({} as OutlookRebuilder),
        budget,
        spool,
        signal,
      },
    );
    for await (const item of sut.items(BEGINNING)) items.push(item);
    return items;
  };
  /** Subject → labels; reasons of what was left out or failed. */
  const read = async (entries: Entries): Promise<[Record<string, readonly string[]>, string[]]> => {
    const views = [await zipOf(entries), await tarOf(entries), gzipSync(await tarOf(entries))].map(
      async (bytes) => {
        const items = await itemsOf(bytes);
        const labels = items.flatMap(({ message }) =>
          message ? [[/^Subject: (.*)\r$/m.exec(message.raw.toString())![1], message.labelIds] as const] : [],
        );
        const others = items.flatMap(({ message, leftOut, damage }) =>
          message ? [] : [leftOut ?? damage!.code],
        );
        return [Object.fromEntries(labels), others] as [Record<string, readonly string[]>, string[]];
      },
    );
    const [first, ...others] = await Promise.all(views);
    for (const other of others) expect(other).toEqual(first);
    return first!;
  };

  it('should be read from a Maildir++', async () => {
    const [labels, others] = await read({
      'home/Maildir/cur/1583229600.a.host:2,S': mail('seen'),
      'home/Maildir/new/1583229601.b.host': mail('new'),
      'home/Maildir/tmp/1583229602.c.host': mail('unfinished'),
      'home/Maildir/cur/1583229603.d.host:2,FRSa': mail('flagged'),
      'home/Maildir/cur/1583229604.e.host:2,ST': mail('trashed'),
      'home/Maildir/.Sent/cur/1583229605.f.host:2,S': mail('sent'),
      'home/Maildir/.Projects.Gr&APw-n/cur/1583229606.g.host:2,': mail('unread'),
      'home/Maildir/.INBOX.Drafts/cur/1583229607.h.host;2,DS': 'Subject: draft\n\n',
      'home/Maildir/.Trash/cur/1583229608.i.host:2,PS': mail('bin'),
      'home/Maildir/dovecot-keywords': '0 Work\n1 $Junk\n',
      'home/Maildir/dovecot-uidlist': '3 V1 N1\n',
      'home/Maildir/.Sent/maildirfolder': '',
    });
    expect(labels).toEqual({
      seen: ['INBOX'],
      new: ['INBOX', 'UNREAD'],
      flagged: ['INBOX', 'STARRED', 'Work'],
      sent: ['SENT'],
      unread: ['Projects/Grün', 'UNREAD'],
      draft: ['DRAFT'],
      bin: ['TRASH'],
    });
    expect(others.sort()).toEqual(['deleted', 'emptyFile', 'programData', 'programData', 'programData']);
  });

  it('should be read from Maildirs in folders', async () => {
    const [labels] = await read({ 'mail/Inbox/cur/a:2,S': mail('a'), 'mail/Work/new/b': mail('b') });
    expect(labels).toEqual({ a: ['INBOX'], b: ['Work', 'UNREAD'] });
    expect((await read({ 'Work/cur/a:2,S': mail('a'), 'Work/cur/b:2,S': mail('b') }))[0]).toEqual({
      a: ['Work'],
      b: ['Work'],
    });
    expect((await read({ 'cur/a:2,S': mail('a') }))[0]).toEqual({ a: ['INBOX'] });
  });

  it('should count who was answered or got the message, in every layout that says so', async () => {
    const countedIn = async (entries: Entries): Promise<unknown> => {
      const items = await itemsOf(await tarOf(entries));
      return Object.fromEntries(
        items.flatMap(({ message, notKept }) =>
          message ? [[/^Subject: (.*)\r$/m.exec(message.raw.toString())![1], notKept]] : [],
        ),
      );
    };
    expect(
      await countedIn({
        'x/cur/a:2,RS': mail('answered'),
        'x/cur/b:2,PS': mail('passed on'),
        'x/cur/c:2,PRS': mail('both'),
      }),
    ).toEqual({ answered: ['answered'], 'passed on': ['forwarded'], both: ['answered', 'forwarded'] });
    expect(
      await countedIn({
        'Mail/inbox/1': mail('answered'),
        'Mail/inbox/2': mail('passed on'),
        'Mail/inbox/.mh_sequences': 'replied: 1\nforwarded: 2\n',
      }),
    ).toEqual({ answered: ['answered'], 'passed on': ['forwarded'] });
    expect(
      await countedIn({
        Inbox: `From - \n${mail('answered', 'X-Mozilla-Status: 0003')}\nFrom - \n${mail('passed on', 'X-Mozilla-Status: 1001')}\n`,
        mutt: `From - \n${mail('of mutt', 'Status: RO', 'X-Status: A')}\n`,
      }),
    ).toEqual({ answered: ['answered'], 'passed on': ['forwarded'], 'of mutt': ['answered'] });
  });

  it('should tell formats by content and not by name', async () => {
    const [labels, others] = await read({
      'Work/letter.pdf': mail('a message'),
      'Work/picture.jpg': mbox('of an mbox'),
      'Work/data.eml': '%PDF-1.7',
      'Work/mail.mbox': 'no mail at all\n',
      'Work/notes.docx': emlx(mail('of Apple Mail'), 1),
    });
    expect(labels).toMatchObject({ 'a message': expect.any(Array), 'of Apple Mail': expect.any(Array) });
    expect(Object.keys(labels).sort()).toEqual(['a message', 'of Apple Mail', 'of an mbox']);
    expect(others).toEqual(['notMail', 'notMail']);
    const inside = await tarOf({
      'a.txt': gzipSync(mbox('compressed')),
      'b.exe': await zipOf({ c: mail('zipped') }),
    });
    expect(
      (await itemsOf(inside)).map(({ format, damage, leftOut }) => format ?? damage?.code ?? leftOut),
    ).toEqual(['mbox', 'eml']);
  });

  it('should know when a message arrived in a Maildir', async () => {
    const [item] = await itemsOf(await tarOf({ 'x/cur/1583229600.a.host:2,S': mail('a') }));
    expect(item!.message!.receivedAt).toEqual(new Date('2020-03-03T10:00:00Z'));
  });

  it('should be read from MH folders, whose sequences may stand behind the messages', async () => {
    const [labels, others] = await read({
      'Mail/inbox/1': mail('one'),
      'Mail/inbox/2': mail('two'),
      'Mail/inbox/3': mail('three'),
      'Mail/inbox/,4': mail('removed'),
      'Mail/inbox/.mh_sequences': 'unseen: 2-3\nflagged: 1 3\nreplied: 1\ncur: 1\nproject: 2\n',
      'Mail/projects/1': mail('projects'),
    });
    expect(labels).toEqual({
      one: ['INBOX', 'STARRED'],
      two: ['INBOX', 'UNREAD', 'project'],
      three: ['INBOX', 'UNREAD', 'STARRED'],
      projects: ['projects'],
    });
    expect(others).toEqual(['deleted', 'programData']);
  });

  it('should be read from a profile of Thunderbird', async () => {
    const [labels, others] = await read({
      'abc.default/prefs.js': 'user_pref("a", 1);',
      'abc.default/Mail/Local Folders/Inbox': mbox('in'),
      'abc.default/Mail/Local Folders/Inbox.msf': '// <!-- <mdb:mork:z v="1.4"/> -->',
      'abc.default/Mail/Local Folders/Inbox.sbd/Sub': mbox('sub'),
      'abc.default/Mail/Local Folders/Inbox.sbd/Deep.sbd/Deeper': mbox('deeper'),
      'abc.default/Mail/Local Folders/Trash': '',
      'abc.default/ImapMail/imap.example.org/Sent': mbox('sent'),
      'abc.default/ImapMail/imap.example.org/INBOX': `From - \n${mail('read', 'X-Mozilla-Status: 0003')}\nFrom - \n${mail('gone', 'X-Mozilla-Status: 0009')}\n`,
      'abc.default/places.sqlite': 'SQLite format 3\0',
    });
    expect(labels).toEqual({
      in: ['INBOX'],
      sub: ['Inbox/Sub'],
      deeper: ['Inbox/Deep/Deeper'],
      sent: ['SENT'],
      read: ['INBOX'],
    });
    expect(others.sort()).toEqual(['deleted', 'emptyFile', 'programData', 'programData', 'programData']);
  });

  it('should be read from packages of Apple Mail', async () => {
    const [labels, others] = await read({
      'Export/Sent Messages.mbox/mbox': mbox('sent'),
      'Export/Sent Messages.mbox/table_of_contents': '\0\0\0\x01',
      'Export/Work.mbox/mbox': mbox('work'),
      'Export/Work.mbox/Old.mbox/mbox': mbox('old'),
    });
    expect(labels).toEqual({ sent: ['SENT'], work: ['Work'], old: ['Work/Old'] });
    expect(others).toEqual(['programData']);
    expect((await read({ 'Work.mbox/mbox': mbox('only') }))[0]).toEqual({ only: ['Work'] });
  });

  it('should be read from the store of Apple Mail, with its states', async () => {
    const id = '11111111-2222-3333-4444-555555555555';
    const inside = `${id}/Data/3/1`;
    const [labels, others] = await read({
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Messages/1.emlx`]: emlx(mail('read'), 1),
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Messages/2.emlx`]: emlx(mail('flagged'), 2 ** 33 + 0x10),
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Messages/3.emlx`]: emlx(mail('deleted'), 3),
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Messages/4.partial.emlx`]: emlx(mail('partial'), 5),
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Attachments/4/2/a.pdf`]: '%PDF-1.4',
      [`Mail/V10/${id}/[Gmail].mbox/Sent Mail.mbox/${inside}/Messages/5.emlx`]: emlx(mail('sent'), 1),
      [`Mail/V10/${id}/INBOX.mbox/Info.plist`]: '<?xml version="1.0"?>',
      [`Mail/V10/${id}/INBOX.mbox/${inside}/Messages/6.emlx`]: emlx(mail('cut'), 1).slice(0, 40),
    });
    expect(labels).toEqual({
      read: ['INBOX'],
      flagged: ['INBOX', 'UNREAD', 'STARRED'],
      partial: ['INBOX'],
      sent: ['SENT'],
    });
    expect(others.sort()).toEqual(['deleted', 'message-cut-off', 'notMail', 'programData']);
    const items = await itemsOf(
      await tarOf({ 'a.partial.emlx': emlx(mail('partial'), 5), 'b.emlx': emlx(mail('b'), 4) }),
    );
    expect(items.map(({ format, notKept }) => [format, notKept])).toEqual([
      ['partialEmlx', ['answered']],
      ['emlx', ['answered']],
    ]);
    expect(items[0]!.message!.receivedAt).toEqual(new Date('2020-03-03T10:00:00Z'));
    expect(items[0]!.message!.raw.toString()).toBe(mail('partial').replaceAll('\n', '\r\n'));
  });
});
