import { simpleParser } from 'mailparser';
import { fileTime, msgFile, type MsgContent, TAG } from '../../../../test/support/archive/outlook/msg-files';
import { readMsg } from './msg-file';
import { meetingCalendarOf } from './meeting-calendar';
import { rebuildFromMsg } from './rebuild-message';

const APPOINTMENT = '0220060000000000c000000000000046';
const MEETING = '90dad86e0b451b1098da00aa003f1305';
const TYPE = { int: 0x03, boolean: 0x0b, text: 0x1f, time: 0x40, bytes: 0x102 };
const ID = Buffer.from('040000008200e00074c5b7101a82e008', 'hex');
const FOREIGN_ID = Buffer.concat([
  ID,
  Buffer.alloc(24),
  Buffer.from('vCal-Uid\x01\0\0\0meeting-7@other.example\0', 'latin1'),
]);

const meeting = (messageClass: string, named: MsgContent['named'] = []): MsgContent => ({
  values: [
    [TAG.messageClass, messageClass],
    [TAG.subject, 'Budget; next year'],
    [TAG.sentRepresentingName, 'Bob "B" Example'],
    [TAG.sentRepresentingEmail, 'bob@example.com'],
    [TAG.clientSubmitTime, fileTime('2024-02-29T12:34:56Z')],
    [TAG.body, 'Please come'],
  ],
  recipients: [
    [
      [TAG.recipientType, 1],
      [TAG.displayName, 'Alice'],
      [TAG.smtpAddress, 'alice@example.com'],
    ],
    [
      [TAG.recipientType, 2],
      [TAG.displayName, 'Carol'],
      [TAG.smtpAddress, 'carol@example.com'],
    ],
  ],
  named: [
    [APPOINTMENT, 0x820d, TYPE.time, fileTime('2024-03-05T09:00:00Z')],
    [APPOINTMENT, 0x820e, TYPE.time, fileTime('2024-03-05T10:30:00Z')],
    [APPOINTMENT, 0x8208, TYPE.text, 'Room 4'],
    [APPOINTMENT, 0x8201, TYPE.int, 2],
    [MEETING, 0x0023, TYPE.bytes, ID],
    ...named,
  ],
});

const linesOf = (content: MsgContent): string[] =>
  meetingCalendarOf(readMsg(msgFile(content)))
    ?.text.replaceAll('\r\n ', '')
    .split('\r\n') ?? [];

describe('meetingCalendarOf', () => {
  it('should have a request with its time, place and people', () => {
    expect(linesOf(meeting('IPM.Schedule.Meeting.Request'))).toEqual([
      'BEGIN:VCALENDAR',
      'PRODID:-//Mailroom//Rebuilt from Outlook//EN',
      'VERSION:2.0',
      'METHOD:REQUEST',
      'BEGIN:VEVENT',
      `UID:${ID.toString('hex').toUpperCase()}`,
      'DTSTAMP:20240229T123456Z',
      'DTSTART:20240305T090000Z',
      'DTEND:20240305T103000Z',
      'SEQUENCE:2',
      'SUMMARY:Budget\\; next year',
      'LOCATION:Room 4',
      `ORGANIZER;CN=Bob 'B' Example:mailto:bob@example.com`,
      'ATTENDEE;CN=Alice;ROLE=REQ-PARTICIPANT:mailto:alice@example.com',
      'ATTENDEE;CN=Carol;ROLE=OPT-PARTICIPANT:mailto:carol@example.com',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it.each([
    ['IPM.Schedule.Meeting.Resp.Pos', 'ACCEPTED'],
    ['IPM.Schedule.Meeting.Resp.Neg', 'DECLINED'],
    ['IPM.Schedule.Meeting.Resp.Tent', 'TENTATIVE'],
  ])('should have the answer of %s', (messageClass, answer) => {
    const lines = linesOf(meeting(messageClass));
    expect(lines).toContain('METHOD:REPLY');
    expect(lines).toContain('ORGANIZER;CN=Alice:mailto:alice@example.com');
    expect(lines).toContain(`ATTENDEE;CN=Bob 'B' Example;PARTSTAT=${answer}:mailto:bob@example.com`);
  });

  it('should have a cancellation, and the identifier that another program gave', () => {
    const content = meeting('IPM.Schedule.Meeting.Canceled');
    const named = content.named!.filter(([set]) => set !== MEETING);
    const lines = linesOf({ ...content, named: [...named, [MEETING, 0x0003, TYPE.bytes, FOREIGN_ID]] });
    expect(lines).toEqual(
      expect.arrayContaining(['METHOD:CANCEL', 'STATUS:CANCELLED', 'UID:meeting-7@other.example']),
    );
  });

  it.each([
    ['2024-03-04T23:00:00Z', '2024-03-05T23:00:00Z'],
    ['2024-03-05T05:00:00Z', '2024-03-06T05:00:00Z'],
  ])('should have whole days by their dates, from midnight at %s', (start, end) => {
    const content = meeting('IPM.Schedule.Meeting.Request', [[APPOINTMENT, 0x8215, TYPE.boolean, true]]);
    const named = content.named!.map((each) => {
      if (each[1] === 0x820d) return [APPOINTMENT, 0x820d, TYPE.time, fileTime(start)] as const;
      return each[1] === 0x820e ? ([APPOINTMENT, 0x820e, TYPE.time, fileTime(end)] as const) : each;
    });
    expect(linesOf({ ...content, named })).toEqual(
      expect.arrayContaining(['DTSTART;VALUE=DATE:20240305', 'DTEND;VALUE=DATE:20240306']),
    );
  });

  it.each<[string, MsgContent]>([
    ['a letter', meeting('IPM.Note')],
    ['a series', meeting('IPM.Schedule.Meeting.Request', [[APPOINTMENT, 0x8223, TYPE.boolean, true]])],
    [
      'a request with a calendar',
      {
        ...meeting('IPM.Schedule.Meeting.Request'),
        attachments: [{ values: [[TAG.attachLongFilename, 'invite.ics']] }],
      },
    ],
    ['a request without a time', { ...meeting('IPM.Schedule.Meeting.Request'), named: [] }],
  ])('should have nothing for %s', (_what, content) => {
    expect(meetingCalendarOf(readMsg(msgFile(content)))).toBeNull();
  });
});

describe('a rebuilt meeting request', () => {
  it('should have its calendar beside its text, the same each time', async () => {
    const file = msgFile(meeting('IPM.Schedule.Meeting.Request'));
    const { raw } = await rebuildFromMsg(file);
    expect((await rebuildFromMsg(file)).raw).toEqual(raw);
    expect(raw.toString()).toMatch(/Content-Type: text\/calendar; charset=utf-8; method=REQUEST/);
    const mail = await simpleParser(raw);
    expect(mail.text?.trim()).toBe('Please come');
  });
});
