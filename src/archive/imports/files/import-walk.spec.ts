import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { type Entries, tarOf, zipOf } from '../../../../test/support/archive/built-archives';
import { closeWalks, walkItems } from '../../../../test/support/archive/import-walks';
import type { UnpackLimits } from '../containers/unpack-budget';
import { BEGINNING, type ImportPosition, type WalkedItem } from './import-walk';

const MIB = 1024 * 1024;
const LIMITS: UnpackLimits = { maxUnpackedBytes: 1024 * MIB, maxFiles: 10_000 };

const mail = (subject: string, ...more: string[]): string =>
  [
    'From: Nora Feld <nora@sender.example>',
    `Subject: ${subject}`,
    `Message-ID: <${subject}@x>`,
    ...more,
    '',
    'text',
    '',
  ].join('\n');
const mbox = (...subjects: string[]): string =>
  subjects.map((subject) => `From nora@sender.example Tue Mar  3 10:00:00 2020\n${mail(subject)}\n`).join('');

describe('ImportWalk', () => {
  afterEach(closeWalks);

  const itemsOf = (bytes: Buffer, from: ImportPosition = BEGINNING, limits = LIMITS): Promise<WalkedItem[]> =>
    walkItems(bytes, from, limits);
  const subjectOf = ({ message }: WalkedItem): string | null =>
    message && (/^Subject: (.*)\r$/m.exec(message.raw.toString())?.[1] ?? null);
  const seen = (items: readonly WalkedItem[]): string[] =>
    items.map((item) => subjectOf(item) ?? item.leftOut ?? `${item.name}: ${item.damage?.code}`);
  const read = async (bytes: Buffer): Promise<string[]> => seen(await itemsOf(bytes));

  const FIVE: Entries = {
    'Takeout/Mail/All mail.mbox': mbox('one', 'two', 'three', 'four', 'five'),
  };

  it.each<[string, () => Promise<Buffer>]>([
    ['a stored ZIP', () => zipOf(FIVE, { store: true })],
    ['a deflated ZIP', () => zipOf(FIVE)],
    ['a tar', () => tarOf(FIVE)],
    ['a tar.gz', async () => gzipSync(await tarOf(FIVE))],
    [
      'a ZIP with a compressed mbox',
      () => zipOf({ 'All mail.mbox.gz': gzipSync(FIVE['Takeout/Mail/All mail.mbox']!) }),
    ],
    [
      'a tar.gz with a compressed mbox',
      async () => gzipSync(await tarOf({ 'All mail': gzipSync(FIVE['Takeout/Mail/All mail.mbox']!) })),
    ],
    ['a ZIP in a tar', async () => tarOf({ 'part-1.zip': await zipOf(FIVE) })],
    ['a ZIP in a tar.gz', async () => gzipSync(await tarOf({ 'part-1.zip': await zipOf(FIVE) }))],
    ['a ZIP in a ZIP', async () => zipOf({ 'part-1.zip': await zipOf(FIVE) })],
    ['a tar.gz in a tar', async () => tarOf({ 'part-1.tgz': gzipSync(await tarOf(FIVE)) })],
    [
      'a tar.gz in a tar.gz',
      async () => gzipSync(await tarOf({ 'part-1.tgz': gzipSync(await tarOf(FIVE)) })),
    ],
    ['a tar in a tar.gz', async () => gzipSync(await tarOf({ 'part-1.tar': await tarOf(FIVE) }))],
    ['a tar.gz in a ZIP', async () => zipOf({ 'part-1.tgz': gzipSync(await tarOf(FIVE)) })],
    ['an mbox', () => Promise.resolve(Buffer.from(FIVE['Takeout/Mail/All mail.mbox']!))],
    ['a compressed mbox', () => Promise.resolve(gzipSync(FIVE['Takeout/Mail/All mail.mbox']!))],
  ])('should read all messages of %s, and continue after each', async (_what, build) => {
    const bytes = await build();
    const items = await itemsOf(bytes);
    expect(seen(items)).toEqual(['one', 'two', 'three', 'four', 'five']);
    for (const [number, { next }] of items.entries())
      expect(seen(await itemsOf(bytes, next))).toEqual(
        ['one', 'two', 'three', 'four', 'five'].slice(number + 1),
      );
    expect(items.map(({ message }) => message?.labelIds)).toEqual(items.map(() => []));
  });

  it('should read a single message, byte for byte but for its line ends', async () => {
    const [item] = await itemsOf(Buffer.from(mail('alone')));
    expect(item!.message!.raw.toString()).toBe(mail('alone').replaceAll('\n', '\r\n'));
    expect([item!.format, item!.message!.labelIds]).toEqual(['eml', []]);
  });

  const MIXED: Entries = {
    'mail/Inbox/1.eml': mail('first'),
    'mail/Inbox/2': mail('second', 'X-Gmail-Labels: Friends'),
    'mail/Sent Items/3.eml': mail('third'),
    'mail/Work/Plans/4.txt': 'Note: this is no mail\n\ntext',
    'mail/Work/Plans/5.eml': mail('fifth'),
    'mail/Work/all.mbox': mbox('sixth', 'seventh'),
    'mail/page.html': '<!DOCTYPE html><p>From: x\nSubject: y\n\n',
    'mail/page.mht': 'From: <Saved by Blink>\nSubject: y\nDate: z\nMIME-Version: 1.0\n\nx',
    'mail/quote.txt': `An example:\n\n${mbox('quoted')}`,
    'mail/notes.rar': 'Rar!\x1a\x07 and more',
    'mail/letter.docx': '',
    'mail/.DS_Store': 'x',
    '__MACOSX/mail/._1.eml': mail('shadow'),
  };
  const FOUND = [
    ...['first', 'second', 'third', 'notMail', 'fifth', 'sixth', 'seventh', 'notMail', 'notMail', 'notMail'],
    ...['mail/notes.rar: import-format-unsupported', 'notMail', 'programData', 'programData'],
  ];
  const mixed = async (): Promise<Entries> => ({
    ...MIXED,
    'mail/letter.docx': await zipOf({ '[Content_Types].xml': '<x/>', 'word/document.xml': '<x/>' }),
  });

  it.each([
    ['ZIP', zipOf],
    ['tar', tarOf],
    ['tar.gz', async (entries: Entries) => gzipSync(await tarOf(entries))],
  ])('should tell mail from other files in a %s, with the folders as labels', async (_what, build) => {
    const items = await itemsOf(await build(await mixed()));
    expect(seen(items)).toEqual(FOUND);
    expect(
      Object.fromEntries(
        items.flatMap((item) => (item.message ? [[subjectOf(item), item.message.labelIds]] : [])),
      ),
    ).toEqual({
      first: ['INBOX'],
      second: ['Friends'],
      third: ['SENT'],
      fifth: ['Work/Plans'],
      sixth: ['Work/all'],
      seventh: ['Work/all'],
    });
  });

  it('should make one item of everything, whatever is put together, and continue at each with the rest', async () => {
    const file = fc.constantFrom<[string, Buffer | string]>(
      ['a.eml', mail('a')],
      ['b.mbox', mbox('b', 'c')],
      ['d.txt', 'text'],
      ['e', ''],
      ['f.mbox.gz', gzipSync(mbox('f'))],
      ['.DS_Store', 'x'],
    );
    const entries = fc
      .array(fc.tuple(fc.constantFrom('', 'x/', 'x/y/', '../'), file), { maxLength: 6 })
      .map((files): Entries =>
        Object.fromEntries(files.map(([folder, [name, bytes]], n) => [`${folder}${n}${name}`, bytes])),
      );
    await fc.assert(
      fc.asyncProperty(
        entries,
        entries,
        fc.constantFrom(zipOf, tarOf),
        fc.constantFrom(zipOf, tarOf),
        async (outer, inner, pack, packInner) => {
          const bytes = await pack({
            ...outer,
            inner: await packInner({ ...inner, 'last.eml': mail('last') }),
          });
          const all = await itemsOf(bytes);
          const expected = Object.values({ ...outer, ...inner }).length === 0 ? 1 : undefined;
          if (expected !== undefined) expect(all).toHaveLength(expected);
          const count = (found: Entries): number =>
            Object.keys(found).reduce((sum, name) => sum + (name.endsWith('b.mbox') ? 2 : 1), 0);
          expect(all).toHaveLength(count(outer) + count(inner) + 1);
          for (const { message, leftOut, damage } of all)
            expect([message, leftOut, damage].filter((each) => each !== null)).toHaveLength(1);
          for (const [number, { next }] of all.entries())
            expect(seen(await itemsOf(bytes, next))).toEqual(seen(all).slice(number + 1));
        },
      ),
      { numRuns: 15 },
    );
  }, 60_000);

  it.each<[string, () => Promise<Buffer> | Buffer, object]>([
    [
      'a PDF',
      () => Buffer.from('%PDF-1.7 …'),
      { code: 'not-an-mbox-file', detail: expect.stringContaining('This is a PDF document.') },
    ],
    [
      'an address book of Outlook',
      () => Buffer.from('!BDN and so on'),
      { detail: expect.stringContaining('This is an address book of Outlook.') },
    ],
    [
      'a text',
      () => Buffer.from('Dear Sir,\n\nFrom here on'),
      { detail: expect.stringContaining('a text without the header of a message') },
    ],
    [
      'a compressed picture',
      () => gzipSync(Buffer.from('ffd8ffe0', 'hex')),
      { detail: expect.stringContaining('in it is a JPEG picture') },
    ],
    [
      'an Office document',
      () => zipOf({ '[Content_Types].xml': '<x/>' }),
      { detail: expect.stringContaining('office document') },
    ],
    [
      'a ZIP that is cut within its first header',
      async () => (await zipOf(FIVE)).subarray(0, 40),
      { code: 'archive-unreadable' },
    ],
  ])('should refuse %s by its name', async (_what, build, error) => {
    await expect(itemsOf(await build())).rejects.toMatchObject(error);
  });

  describe('a hostile archive', () => {
    it('should be stopped when it unpacks to too much', async () => {
      const bomb = Buffer.alloc(80 * MIB);
      const inner = await zipOf({ 'a.mbox': Buffer.concat([Buffer.from(mbox('x')), bomb]) });
      for (const bytes of [inner, await tarOf({ 'b.zip': inner }), gzipSync(await tarOf({ 'a.mbox': bomb }))])
        await expect(itemsOf(bytes)).rejects.toMatchObject({ code: 'import-unpacks-too-large' });
    });

    it('should be stopped when it has too many files', async () => {
      const entries = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`${n}.eml`, mail(`${n}`)]));
      for (const bytes of [await zipOf(entries), await tarOf(entries)])
        await expect(itemsOf(bytes, BEGINNING, { ...LIMITS, maxFiles: 29 })).rejects.toMatchObject({
          code: 'import-too-many-files',
        });
    });

    it('should name members that lie too deep', async () => {
      let bytes = await zipOf({ 'a.eml': mail('deep') });
      for (let level = 0; level < 7; level++)
        bytes = await tarOf({ [`level-${level}.zip`]: bytes, 'b.eml': mail(`b${level}`) });
      const items = await read(bytes);
      expect(items.filter((item) => item.includes('archive-nested-too-deep'))).toHaveLength(1);
      expect(items).toContain('b6');
    });

    it('should have names that climb in reports only', async () => {
      const items = await itemsOf(
        await tarOf({ '../../etc/passwd': 'root', '/abs/a.eml': mail('a'), 'C:\\x\\b.eml': mail('b') }),
      );
      expect(items.map(({ name, message }) => [name, message?.labelIds])).toEqual([
        ['../../etc/passwd', undefined],
        ['/abs/a.eml', ['abs']],
        ['C:/x/b.eml', ['C:/x']],
      ]);
    });

    it('should have links and devices counted', async () => {
      const others = [
        { name: 'link', type: 'symlink', linkname: '/etc/passwd' },
        { name: 'hard', type: 'link', linkname: 'a.eml' },
        { name: 'null', type: 'character-device' },
        { name: 'folder', type: 'directory' },
      ] as const;
      expect(await read(await tarOf({ 'a.eml': mail('a') }, others))).toEqual([
        'linkOrDevice',
        'linkOrDevice',
        'linkOrDevice',
        'a',
      ]);
    });

    it('should have entries that share bytes refused', async () => {
      const zip = await zipOf(
        { 'a.eml': mail('a'), 'b.eml': mail('b'), 'c.eml': mail('c') },
        { store: true },
      );
      const second = zip.indexOf(
        Buffer.from('504b0102', 'hex'),
        zip.indexOf(Buffer.from('504b0102', 'hex')) + 4,
      );
      // The second entry of the directory points to the first file.
      zip.writeUInt32LE(0, second + 42);
      expect(await read(zip)).toEqual([
        'a.eml: archive-members-overlap',
        'b.eml: archive-members-overlap',
        'c',
      ]);
    });
  });

  describe('a damaged archive', () => {
    const CENTRAL = Buffer.from('504b0102', 'hex');

    it.each([
      [
        'encrypted',
        (zip: Buffer, at: number) => zip.writeUInt16LE(zip.readUInt16LE(at + 8) | 1, at + 8),
        'archive-member-encrypted',
      ],
      [
        'compressed in another way',
        (zip: Buffer, at: number) => zip.writeUInt16LE(9, at + 10),
        'archive-compression-unsupported',
      ],
      ['altered', (zip: Buffer) => zip.fill(0xff, 36, 60), 'archive-member-damaged'],
      [
        'of another checksum',
        (zip: Buffer, at: number) => zip.writeUInt32LE(1, at + 16),
        'archive-checksum-wrong',
      ],
      [
        'not where it should be',
        (zip: Buffer, at: number) => zip.writeUInt32LE(7, at + 42),
        'archive-member-damaged',
      ],
    ])('should have an entry named that is %s, and the rest read', async (_what, damage, code) => {
      const zip = await zipOf({ 'a.eml': `${mail('a')}${'more text '.repeat(50)}`, 'b.eml': mail('b') });
      damage(zip, zip.indexOf(CENTRAL));
      expect(await read(zip)).toEqual([`a.eml: ${code}`, 'b']);
    });

    it('should have a large entry named whose checksum is wrong, beside its messages', async () => {
      const subjects = Array.from({ length: 20_000 }, (_, n) => `n${n}`);
      const zip = await zipOf({ 'a.mbox': mbox(...subjects), 'b.eml': mail('b') });
      zip.writeUInt32LE(1, zip.indexOf(CENTRAL) + 16);
      expect((await read(zip)).slice(-3)).toEqual(['n19999', 'a.mbox: archive-checksum-wrong', 'b']);
    });

    it('should be read up to the point where it is cut', async () => {
      const tar = await tarOf({ 'a.eml': mail('a'), 'b.eml': mail('b') });
      const cut = tar.indexOf('Subject: b') + 5;
      for (const bytes of [tar.subarray(0, cut), gzipSync(tar.subarray(0, cut))])
        expect(await read(bytes)).toEqual(['a', 'b.eml: archive-cut-off', 'archive: archive-cut-off']);
      expect((await read(gzipSync(tar).subarray(0, -20))).at(-1)).toContain('cut-off');
    });

    it('should be reported as cut off behind the long name of a file that is missing', async () => {
      const tar = await tarOf({ 'a.eml': mail('a'), [`${'folder/'.repeat(20)}é.eml`]: mail('b') });
      const header = tar.indexOf('PaxHeader');
      const cut = header - (header % 512) + 1024;
      expect(await read(tar.subarray(0, cut))).toEqual(['a', 'archive: archive-cut-off']);
    });

    it('should be read on both sides of a damaged header', async () => {
      const tar = await tarOf({ 'a.eml': mail('a'), 'b.eml': mail('b'), 'c.eml': mail('c') });
      tar.fill(0x41, 1024, 1100);
      for (const bytes of [tar, gzipSync(tar)])
        expect(await read(bytes)).toEqual(['a', 'part at byte 1024: archive-part-damaged', 'c']);
    });

    it('should be reported as damaged to its end when no further header is found', async () => {
      const tar = await tarOf({ 'a.eml': mail('a'), 'b.eml': mail('b') });
      tar.fill(0x41, 1024);
      expect(await read(tar)).toEqual(['a', 'archive: archive-damaged']);
    });

    it('should be reported as cut when it ends behind a file', async () => {
      const tar = await tarOf({ 'a.eml': mail('a') });
      expect(await read(tar.subarray(0, 1024))).toEqual(['a', 'archive: archive-cut-off']);
    });
  });
});
