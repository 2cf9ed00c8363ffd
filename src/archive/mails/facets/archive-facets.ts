export interface LabelFacet {
  readonly id: string;
  readonly count: number;
}

export interface SenderFacet {
  readonly address: string;
  /** From line of the sender's newest mail. */
  readonly sender: string;
  readonly count: number;
  readonly total_size: number;
}

export interface MonthFacet {
  /** Month in UTC, e.g. `2024-02`. */
  readonly month: string;
  readonly count: number;
}

interface FacetTotals {
  readonly total: number;
  readonly total_size: number;
  readonly with_attachments: number;
  readonly encrypted: number;
}

/** Counts and totals of the mails that match a filter; survives JSON. */
export interface ArchiveFacets extends FacetTotals {
  readonly labels: readonly LabelFacet[];
  readonly senders: readonly SenderFacet[];
  readonly months: readonly MonthFacet[];
}

export const NO_FACETS: ArchiveFacets = {
  total: 0,
  total_size: 0,
  with_attachments: 0,
  encrypted: 0,
  labels: [],
  senders: [],
  months: [],
};

export const MAX_LABELS = 1_000;
export const MAX_SENDERS = 50;
/** Most months counted: a hundred years. */
export const MAX_MONTHS = 1_200;
