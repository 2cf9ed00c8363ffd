export const suggestions = {
  title: 'Suggestions',
  kinds: {
    bulk_unread_one: '{{count, number}} unread message from {{sender}}',
    bulk_unread_other: '{{count, number}} unread messages from {{sender}}',
    large_sender_one: '{{count, number}} large message from {{sender}}',
    large_sender_other: '{{count, number}} messages from {{sender}} take much space',
    old_newsletters_one: '{{count, number}} old newsletter from {{sender}}',
    old_newsletters_other: '{{count, number}} old newsletters from {{sender}}',
    duplicate_pattern_one: '{{count, number}} message with the same subject from {{sender}}',
    duplicate_pattern_other: '{{count, number}} messages with the same subject from {{sender}}',
  },
  reasons: {
    bulk_unread: 'You have not opened any of them.',
    large_sender: 'Together they take more than 10 MB, and much of this sender’s mail is clutter.',
    old_newsletters: 'You open fewer than a third of these newsletters.',
    duplicate_pattern: 'Their subjects differ only in numbers, dates or “Re:”.',
  },
  records: 'These may be receipts, invoices or other papers. Look through them before you delete any.',
  dismiss: 'Do not suggest this again: {{title}}',
  none: 'There is nothing to suggest: this mailbox is tidy.',
  all: 'All suggestions',
} as const;
