import { Paper, Stack, Text } from '@mantine/core';
import type { Schemas } from '@mailroom/sdk';
import type { TFunction } from 'i18next';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { dateFormat, formatDay, formatWeekday, timeZone } from '../i18n/format';
import { PlainList } from './PlainList';
import { Wrapping } from './Wrapping';

type Invitation = Schemas['MailInvitationResponse'];
type Participant = Schemas['ParticipantResponse'];

/** People of an event who are named; the others are counted. */
const SHOWN_ATTENDEES = 20;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** An event that came with a mail: what, when, where, and who has answered. */
export function InvitationCard({ invitation }: { readonly invitation: Invitation }): ReactNode {
  const { t } = useTranslation();
  const { title, location, organizer, attendees, recurrence } = invitation;
  const shown = attendees.slice(0, SHOWN_ATTENDEES);
  const others = attendees.length - shown.length;
  return (
    <Paper withBorder p="xs" component="section" aria-label={t('mailFacts.invitation.label')}>
      <Stack gap={2}>
        <Text size="xs" c={invitation.cancelled ? 'red' : 'dimmed'}>
          {t(`mailFacts.invitation.kinds.${kindOf(invitation)}`)}
        </Text>
        <Wrapping fw={600}>{title || t('mailFacts.invitation.noTitle')}</Wrapping>
        {timeLines(t, invitation).map((line) => (
          <Wrapping key={line} size="sm">
            {line}
          </Wrapping>
        ))}
        {recurrence && <Wrapping size="sm">{recurrenceText(t, recurrence)}</Wrapping>}
        {location !== '' && (
          <Wrapping size="sm">{t('mailFacts.invitation.place', { place: location })}</Wrapping>
        )}
        {organizer && (
          <Wrapping size="sm">{t('mailFacts.invitation.organizer', { name: nameOf(organizer) })}</Wrapping>
        )}
        {shown.length > 0 && (
          <PlainList gap={0} aria-label={t('mailFacts.invitation.attendees')}>
            {shown.map((attendee, index) => (
              <Wrapping key={index} component="li" size="xs">
                {t(`mailFacts.invitation.answers.${attendee.answer}`, { name: nameOf(attendee) })}
              </Wrapping>
            ))}
            {others > 0 && (
              <Text component="li" size="xs">
                {t('mailFacts.invitation.others', { count: others })}
              </Text>
            )}
          </PlainList>
        )}
      </Stack>
    </Paper>
  );
}

function kindOf({
  method,
  cancelled,
  update,
}: Invitation): 'cancelled' | 'reply' | 'update' | 'invitation' | 'event' | 'proposal' {
  if (cancelled) return 'cancelled';
  if (method === 'reply') return 'reply';
  if (method === 'counter') return 'proposal';
  if (update) return 'update';
  return method === 'request' || method === 'add' ? 'invitation' : 'event';
}

const nameOf = ({ name, address }: Participant): string => name || address;

/** The time where the person is, and where the event is if clocks there show another one. */
function timeLines(t: TFunction, { start, end, allDay }: Invitation): string[] {
  if (!start) return [];
  if (allDay) {
    const first = formatDay(start.local);
    const last = end ? dayBefore(end.local) : start.local;
    return [
      last > start.local ? t('mailFacts.invitation.range', { start: first, end: formatDay(last) }) : first,
    ];
  }
  const own = { start: start.instant ?? null, end: end?.instant ?? null };
  const there = rangeText(t, `${start.local}Z`, end && `${end.local}Z`, 'UTC');
  if (own.start === null)
    return [
      start.zone === null ? there : t('mailFacts.invitation.inZone', { time: there, zone: start.zone }),
    ];
  const here = rangeText(t, own.start, own.end, timeZone());
  if (here === there || start.zone === null) return [here];
  return [here, t('mailFacts.invitation.inZone', { time: there, zone: start.zone })];
}

function rangeText(t: TFunction, start: string, end: string | null, zone: string): string {
  const from = formatEventTime(start, zone);
  return end === null
    ? from
    : t('mailFacts.invitation.range', { start: from, end: formatEventTime(end, zone) });
}

/** `Mon 3 Jun 2024, 10:00`: as clocks of a zone show it. @param instant in UTC */
const formatEventTime = (instant: string, zone: string): string =>
  dateFormat({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
  }).format(new Date(instant));

function dayBefore(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
}

function recurrenceText(t: TFunction, recurrence: Schemas['RecurrenceResponse']): string {
  const { frequency, interval, count, until, weekdays, partial } = recurrence;
  if (partial) return t('mailFacts.invitation.repeats');
  const plain = weekdays.filter((day) => WEEKDAYS.includes(day));
  if (plain.length !== weekdays.length) return t('mailFacts.invitation.repeats');
  const days = plain.map((day) => formatWeekday(WEEKDAYS.indexOf(day), 'long')).join(', ');
  return [
    t(`mailFacts.invitation.every.${frequency}`, { count: interval }),
    ...(days === '' ? [] : [t('mailFacts.invitation.onDays', { days })]),
    ...(until === null ? [] : [t('mailFacts.invitation.until', { day: formatDay(until) })]),
    ...(count === null ? [] : [t('mailFacts.invitation.times', { count })]),
  ].join(' ');
}
