import { EVENT_APPEARANCE } from './event-appearance';
import { limitedText, withoutMassMentions } from './limited-text';
import type { EventText, ToldEvent, WebhookRequest } from './webhook-request';

/** What the platform takes; the contract lowers the description's 4096. */
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 2_000;

const GREEN = 0x2ecc71;
const RED = 0xe74c3c;

const MARKDOWN = /[\\*_~`|[\]()<>#]/;

/** A chat message with one embed. Nothing in it is taken for Markdown, a link or a mention. */
export function embedChatRequest(
  { type, occurredAt }: ToldEvent,
  { title, body }: EventText,
): Pick<WebhookRequest, 'headers' | 'body'> {
  const embed = {
    title: embedText(title, MAX_TITLE),
    description: embedText(body, MAX_DESCRIPTION),
    color: EVENT_APPEARANCE[type].success ? GREEN : RED,
    timestamp: occurredAt.toISOString(),
  };
  return {
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ embeds: [embed] }), 'utf8'),
  };
}

const embedText = (text: string, maximum: number): string =>
  limitedText(withoutMassMentions(text), maximum, (character) =>
    MARKDOWN.test(character) ? `\\${character}` : character,
  );
