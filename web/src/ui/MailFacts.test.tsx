import type { Schemas } from '@mailroom/sdk';
import { screen } from '@testing-library/react';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../test/render';
import * as format from '../i18n/format';
import { loadTexts } from '../i18n/texts';
import { MailFacts } from './MailFacts';

const SIGNATURE: Schemas['SignatureResponse'] = {
  state: 'intact',
  reason: null,
  signer: 'Nora Feld',
  addresses: ['nora@sender.example'],
  issuer: 'Example CA',
  selfSigned: false,
  weak: false,
  ofSender: true,
};
const EVENT: Schemas['MailInvitationResponse'] = {
  method: 'request',
  title: 'Planning',
  location: 'Room 3',
  start: { local: '2024-06-03T10:00:00', instant: '2024-06-03T08:00:00Z', zone: 'Europe/Paris' },
  end: { local: '2024-06-03T11:00:00', instant: '2024-06-03T09:00:00Z', zone: 'Europe/Paris' },
  allDay: false,
  cancelled: false,
  update: false,
  organizer: { name: 'Nora', address: 'nora@sender.example' },
  attendees: [
    { name: 'Tom', address: 'tom@a.test', answer: 'accepted', optional: false },
    { name: '', address: 'ann@a.test', answer: 'none', optional: true },
  ],
  recurrence: {
    frequency: 'weekly',
    interval: 2,
    count: null,
    until: null,
    weekdays: ['MO'],
    partial: false,
  },
};

const show = (facts: Partial<Parameters<typeof MailFacts>[0]>): void => {
  renderPart(<MailFacts doubts={[]} invitations={[]} protection={null} {...facts} />);
};
const showSignature = (signature: Partial<Schemas['SignatureResponse']>, coversMail = true): void =>
  show({ protection: { encrypted: false, coversMail, signatures: [{ ...SIGNATURE, ...signature }] } });

describe('facts about a mail', () => {
  beforeAll(() => loadTexts('mailFacts'));
  afterEach(() => vi.restoreAllMocks());

  it('should say that a value may be wrong', () => {
    show({ doubts: ['date', 'charset'] });
    expect(screen.getByText('The date of this message cannot be read with certainty.')).toBeVisible();
    expect(screen.getByText(/Some may be wrong/)).toBeVisible();
  });

  it('should say that a signature is intact, and what was not checked', () => {
    showSignature({});
    expect(
      screen.getByText(/^Signed by Nora Feld, nora@sender\.example\. The message is intact\./),
    ).toHaveTextContent('not checked against a trusted authority.');
  });

  it('should say what speaks against a signature', () => {
    showSignature({ ofSender: false, selfSigned: true, weak: true }, false);
    expect(screen.getByText(/does not have the address of the sender/)).toHaveTextContent(
      /issued by its owner.*outdated/,
    );
    expect(screen.getByText('Only a part of this message is signed.')).toBeVisible();
  });

  it('should warn of a message that was altered, and say why one cannot be checked', () => {
    showSignature({ state: 'altered' });
    expect(screen.getByRole('alert')).toHaveTextContent('the message was altered');
    showSignature({ state: 'unchecked', reason: 'no-certificate' });
    expect(screen.getByText(/the certificate is not in the message/)).toBeVisible();
  });

  it('should say that a message is encrypted', () => {
    show({ protection: { encrypted: true, coversMail: true, signatures: [] } });
    expect(screen.getByText(/cannot be read here/)).toBeVisible();
  });

  it('should show an invitation with the times of the person and of the event', () => {
    vi.spyOn(format, 'timeZone').mockReturnValue('America/New_York');
    show({ invitations: [EVENT] });
    const card = screen.getByRole('region', { name: 'Event' });
    expect(card).toHaveTextContent(/^Invitation ?Planning/);
    expect(card).toHaveTextContent(/4:00.*5:00/);
    expect(card).toHaveTextContent(/10:00.*11:00.*\(Europe\/Paris\)/);
    expect(card).toHaveTextContent('Repeats every 2 weeks on Monday');
    expect(card).toHaveTextContent('Where: Room 3');
    expect(card).toHaveTextContent('Organiser: Nora');
    expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Tom: accepted',
      'ann@a.test: no answer',
    ]);
  });

  it.each([
    [{ cancelled: true }, /^Event cancelled/],
    [{ update: true }, /^Updated invitation/],
    [{ method: 'reply' }, /^Answer to an invitation/],
    [{ method: null, title: '' }, /^Event ?\(no title\)/],
    [{ recurrence: { ...EVENT.recurrence!, partial: true } }, /Repeats(?! every)/],
  ] as const)('should say what it is: %j', (change, text) => {
    show({ invitations: [{ ...EVENT, ...change }] });
    expect(screen.getByRole('region', { name: 'Event' })).toHaveTextContent(text);
  });

  it('should show whole days without times', () => {
    const days = {
      allDay: true,
      start: { local: '2024-06-03', instant: null, zone: null },
      end: { local: '2024-06-05', instant: null, zone: null },
    };
    show({ invitations: [{ ...EVENT, ...days }] });
    expect(screen.getByText(/3.*–.*4/)).toBeVisible();
  });
});
