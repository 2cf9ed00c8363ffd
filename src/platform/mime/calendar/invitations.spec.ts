import fc from 'fast-check';
import { readMessage } from '../contained-parts';
import { Defects } from '../defects';
import { parseMessage } from '../parse-message';
import { type Invitation, readInvitations } from './invitations';

const ZONE = [
  'BEGIN:VTIMEZONE',
  'TZID:W. Europe Standard Time',
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
];

const calendar = (method: string | null, ...event: string[]): string[] => [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  ...(method === null ? [] : [`METHOD:${method}`]),
  ...ZONE,
  'BEGIN:VEVENT',
  'UID:1',
  ...event,
  'END:VEVENT',
  'END:VCALENDAR',
];

const message = (lines: readonly string[], ...header: string[]): Buffer =>
  Buffer.from(
    [
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'hi',
      '--b',
      ...(header.length > 0 ? header : ['Content-Type: text/calendar; charset=utf-8']),
      '',
      ...lines,
      '--b--',
    ].join('\r\n'),
  );
const read = (raw: Buffer): Invitation[] => readInvitations(readMessage(raw, new Defects()));
const first = (...event: string[]): Invitation | undefined => read(message(calendar('REQUEST', ...event)))[0];

describe('invitations', () => {
  it('should be read with place, people and answers', () => {
    const sut = first(
      'SUMMARY:Planning\\, all of it',
      'LOCATION:Raum 3\\; Köln',
      'DTSTART;TZID=Europe/Paris:20240603T100000',
      'DTEND;TZID=Europe/Paris:20240603T113000',
      'SEQUENCE:2',
      'ORGANIZER;CN="Feld, Nora":mailto:nora@example.org',
      'ATTENDEE;CN=Tom;PARTSTAT=ACCEPTED:MAILTO:tom@example.org',
      'ATTENDEE;CN=ann@example.org;PARTSTAT=NEEDS-ACTION;ROLE=OPT-PARTICIPANT;RSVP=TRUE:mailto:',
      ' ann@example.org',
      'ATTENDEE;PARTSTAT=TENTATIVE:mailto:bo@example.org',
      'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20241231T000000Z',
    );
    expect(sut).toEqual({
      method: 'request',
      title: 'Planning, all of it',
      location: 'Raum 3; Köln',
      start: { local: '2024-06-03T10:00:00', instant: '2024-06-03T08:00:00Z', zone: 'Europe/Paris' },
      end: { local: '2024-06-03T11:30:00', instant: '2024-06-03T09:30:00Z', zone: 'Europe/Paris' },
      isAllDay: false,
      isCancelled: false,
      isUpdate: true,
      organizer: { name: 'Feld, Nora', address: 'nora@example.org' },
      attendees: [
        { name: 'Tom', address: 'tom@example.org', answer: 'accepted', isOptional: false },
        { name: '', address: 'ann@example.org', answer: 'none', isOptional: true },
        { name: '', address: 'bo@example.org', answer: 'tentative', isOptional: false },
      ],
      recurrence: {
        frequency: 'weekly',
        interval: 2,
        count: null,
        until: '2024-12-31',
        weekdays: ['MO', 'WE'],
        isPartial: false,
      },
    });
  });

  it.each([
    [
      'a zone that the calendar explains, in summer',
      ';TZID=W. Europe Standard Time:20240603T100000',
      '2024-06-03T08:00:00Z',
    ],
    ['the same in winter', ';TZID=W. Europe Standard Time:20240103T100000', '2024-01-03T09:00:00Z'],
    [
      'the day on which clocks change',
      ';TZID=W. Europe Standard Time:20240331T100000',
      '2024-03-31T08:00:00Z',
    ],
    ['a known zone where clocks change', ';TZID=America/New_York:20241103T100000', '2024-11-03T15:00:00Z'],
    ['a time that clocks skip', ';TZID=Europe/Paris:20240331T023000', '2024-03-31T01:30:00Z'],
    ['UTC', ':20240603T100000Z', '2024-06-03T10:00:00Z'],
    ['no zone', ':20240603T100000', null],
    ['a zone that nobody knows', ';TZID=Somewhere:20240603T100000', null],
  ])('should be at the right time: %s', (_, start, instant) => {
    expect(first(`DTSTART${start}`)?.start?.instant).toBe(instant);
  });

  it('should be of whole days, or as long as they say', () => {
    expect(first('DTSTART;VALUE=DATE:20240603', 'DTEND;VALUE=DATE:20240605')).toMatchObject({
      isAllDay: true,
      start: { local: '2024-06-03', instant: null, zone: null },
      end: { local: '2024-06-05' },
    });
    expect(first('DTSTART:20240603T233000Z', 'DURATION:PT1H')?.end).toEqual({
      local: '2024-06-04T00:30:00',
      instant: '2024-06-04T00:30:00Z',
      zone: 'UTC',
    });
  });

  it('should say that they are cancelled, or an answer', () => {
    expect(read(message(calendar('CANCEL', 'SUMMARY:x')))).toMatchObject([
      { method: 'cancel', isCancelled: true },
    ]);
    expect(first('STATUS:CANCELLED')).toMatchObject({ method: 'request', isCancelled: true });
    const reply = calendar('REPLY', 'ATTENDEE;PARTSTAT=DECLINED:mailto:a@example.org');
    expect(read(message(reply))).toMatchObject([{ method: 'reply', attendees: [{ answer: 'declined' }] }]);
  });

  it('should come once when they are sent as text and as a file, and not from a calendar that is attached', () => {
    const lines = calendar('REQUEST', 'SUMMARY:twice');
    const twice = message([
      ...lines,
      '--b',
      'Content-Type: application/ics; name="invite.ics"',
      'Content-Disposition: attachment; filename="invite.ics"',
      '',
      ...lines,
    ]);
    expect(read(twice)).toHaveLength(1);
    expect(parseMessage(twice).text).toBe('hi\n\ntwice');
    const file = [
      'Content-Type: text/calendar; name=all.ics',
      'Content-Disposition: attachment; filename=all.ics',
    ];
    expect(read(message(calendar(null, 'SUMMARY:mine'), ...file))).toEqual([]);
    expect(read(message(calendar('REQUEST', 'SUMMARY:mine'), ...file))).toHaveLength(1);
  });

  it('should be found by their words', () => {
    const raw = message(
      calendar(
        'REQUEST',
        'SUMMARY:Planning\\, all',
        'LOCATION:Ro',
        ' om 3',
        'ATTENDEE;CN="Feld, N":mailto:n@example.org',
      ),
    );
    expect(parseMessage(raw).text).toBe('hi\n\nPlanning, all\nRoom 3\nFeld, N n@example.org');
  });

  it.each([
    ['no calendar', ['BEGIN:VEVENT', 'what']],
    ['an end that is missing', calendar('REQUEST', 'SUMMARY:x').slice(0, -2)],
    ['a date that is none', calendar('REQUEST', 'DTSTART:tomorrow')],
  ])('should not stop a message from being read: %s', (_, lines) => {
    expect(() => read(message(lines))).not.toThrow();
  });

  it('should end on rules and dates of any kind, in little time', () => {
    const rules = [
      'FREQ=SECONDLY;BYMONTHDAY=31;BYMONTH=2',
      'FREQ=YEARLY;BYDAY=5MO;BYMONTH=2;INTERVAL=1',
      'FREQ=X',
    ];
    for (const rule of rules) {
      const lines = calendar('REQUEST', 'DTSTART;TZID=Z:99990603T100000', `RRULE:${rule}`).flatMap((line) =>
        line.startsWith('TZID:')
          ? ['TZID:Z']
          : line.startsWith('RRULE:FREQ=YEARLY')
            ? [`RRULE:${rule}`]
            : [line],
      );
      const started = performance.now();
      read(message(lines));
      expect(performance.now() - started).toBeLessThan(1_000);
    }
  });

  it('should end on any text', () => {
    const text = calendar('REQUEST', 'SUMMARY:x', 'DTSTART;TZID=Europe/Paris:20240603T100000').join('\r\n');
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(text.length - 1), fc.string({ maxLength: 3 })), { maxLength: 5 }),
        (changes) => {
          let hostile = text;
          for (const [place, piece] of changes)
            hostile = hostile.slice(0, place) + piece + hostile.slice(place + 1);
          read(message([hostile]));
        },
      ),
      { numRuns: 300 },
    );
  });
});
