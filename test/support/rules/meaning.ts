import type { RuleCondition, RuleField, RuleOperator } from '../../../src/cleanup/rules/rule';
import { factsOf, MessageFacts } from '../../../sandbox/src/mime/message-facts';
import type { SandboxMailbox } from '../../../sandbox/src/sandbox-server';

const DAY_MS = 86_400_000;

/** A message of a sandbox mailbox with what conditions ask about. */
export interface JudgedMessage {
  readonly id: string;
  readonly facts: MessageFacts;
  readonly size: number;
  readonly date: number;
  readonly labels: ReadonlySet<string>;
}

/** Words as people see them: any case, accents or not. */
export const words = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}_]+/gu) ?? [];

/** Tells whether the words of `part` follow each other in `text`. */
function holdsWords(text: string, part: string): boolean {
  const [all, wanted] = [words(text), words(part)];
  return all.some((_word, at) => wanted.every((word, offset) => all[at + offset] === word));
}

function ago(age: string): number {
  const count = parseInt(age, 10);
  const date = new Date();
  if (age.endsWith('m')) date.setUTCMonth(date.getUTCMonth() - count);
  else if (age.endsWith('y')) date.setUTCFullYear(date.getUTCFullYear() - count);
  else date.setTime(date.getTime() - count * DAY_MS);
  return date.getTime();
}

/** Evaluates a condition without any query. */
export function meets(message: JudgedMessage, { field, operator, value }: RuleCondition): boolean {
  const negated = operator.startsWith('not_');
  switch (field) {
    case 'from':
    case 'to':
    case 'subject':
      return holdsWords(message.facts[field], value as string) !== negated;
    case 'label':
      return message.labels.has(value as string) !== negated;
    case 'has_attachment':
      return message.facts.hasAttachment === value;
    case 'size_gt':
      return message.size > (value as number);
    case 'size_lt':
      return message.size < (value as number);
    case 'older_than':
      return message.date < ago(value as string);
    case 'newer_than':
      return message.date >= ago(value as string);
  }
}

/** All messages of a mailbox, newest first, spam and trash included. */
export function messagesOf(mailbox: SandboxMailbox): JudgedMessage[] {
  return mailbox.ids().map((id) => {
    const raw = mailbox.raw(id);
    return {
      id,
      facts: factsOf(raw),
      size: raw.length,
      date: mailbox.internalDate(id).getTime(),
      labels: new Set(mailbox.labels(id)),
    };
  });
}

export const isVisible = ({ labels }: JudgedMessage): boolean => !labels.has('SPAM') && !labels.has('TRASH');

export const condition = (
  field: RuleField,
  operator: RuleOperator,
  value: RuleCondition['value'],
): RuleCondition => ({
  field,
  operator,
  value,
});
