/** Cached figures of an account, by the first part of their keys; the second is the account's id. */
export const KeptFigure = {
  Heatmap: 'heatmap',
  InboxCounts: 'inbox-counts',
  SenderScores: 'sender-scores',
  Suggestions: 'cleanup-suggestions',
} as const;
