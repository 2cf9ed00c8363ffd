/** Type of the data that is dragged: other pages and programs must not take ids of messages for text. */
const TYPE = 'application/x-mailroom-messages';

/** Whether what is dragged are messages of a list; what they are is only known once they are dropped. */
export const isDraggingMessages = ({ types }: DataTransfer): boolean => types.includes(TYPE);

/** Puts messages into a drag that begins. */
export function dragMessages(transfer: DataTransfer, messageIds: readonly string[]): void {
  transfer.setData(TYPE, JSON.stringify(messageIds));
  transfer.effectAllowed = 'copyMove';
}

/** Ids of the messages that were dropped. */
export const draggedMessages = (transfer: DataTransfer): readonly string[] =>
  JSON.parse(transfer.getData(TYPE)) as string[];
