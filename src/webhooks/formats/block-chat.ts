import { limitedText, withoutCodeFences, withoutMassMentions } from './limited-text';
import type { EventText, WebhookRequest } from './webhook-request';

/** What the platform takes as text of a block. */
const MAX_TEXT = 3_000;
const MAX_TITLE = 250;

/** Control sequences of the platform (`<!channel>`, `<@id>`, links) begin with these. */
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const FENCE = '```';

/** A chat message of one block, its title in bold over a code block, and the same as one line for notifications. */
export function blockChatRequest({ title, body }: EventText): Pick<WebhookRequest, 'headers' | 'body'> {
  const heading = blockText(withoutMarks(title), MAX_TITLE);
  const frame = (content: string): string => `*${heading}*\n${FENCE}\n${content}\n${FENCE}`;
  const section = frame(blockText(withoutCodeFences(body), MAX_TEXT - frame('').length));
  const line = (content: string): string => `${heading}: ${content}`;
  const message = {
    text: line(blockText(withoutMarks(body), MAX_TEXT - line('').length)),
    blocks: [{ type: 'section', text: { type: 'mrkdwn', text: section, verbatim: true } }],
  };
  return {
    headers: { 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify(message), 'utf8'),
  };
}

/** The platform has no escapes for its marks: those that would end the bold text or begin code are replaced. */
const withoutMarks = (text: string): string => text.replaceAll('`', "'").replaceAll('*', '∗');

const blockText = (text: string, maximum: number): string =>
  limitedText(withoutMassMentions(text), maximum, (character) => ESCAPES[character] ?? character);
