import { listMessageIds } from '../../providers/port/listed-message-ids';
import type { JobContext } from '../../platform/jobs/job-definition';
import { isUnderWay } from '../../mailbox/bulk/bulk-operation.run';
import type { MessageIndexService } from '../../mailbox/index/message-index.service';
import type {
  CallOptions,
  MailboxProvider,
  ProviderAccount,
} from '../../providers/port/mailbox-provider.port';
import { LabelLookup, NamedLabel } from '../../mailbox/labels/label-lookup';
import { buildRuleQuery, includesSpamTrash } from './rule-query';
import type { RuleLabels } from './rule-labels';
import { isDestructive, RuleAction, RuleActionType, RuleCondition } from './rule';
import { BatchContext, BatchProgress, countIn } from '../../platform/jobs/batch-context';
import { createExactMatcher, needsExactMatch, createLabelMatcher } from './exact-match';
import type { RuleActions } from './rule-actions';
import type { RuleMatchesRepository } from './rule-matches.repository';
import { RuleLabelGone } from './rules.errors';

/** Result of a run; `changed`, `alreadyDone` and `failed` of a completed run add up to `matched`. */
export interface RuleRunResult {
  readonly [fact: string]: unknown;
  readonly action: RuleActionType;
  /** Native query of the conditions. */
  readonly query: string;
  /** Number of messages that the provider's search found before anything was done. */
  readonly found: number;
  /** Number of found messages that stay unchanged: they do not meet the conditions exactly, or are in spam or trash. */
  readonly skippedNotExact: number;
  /** Number of the other found messages. */
  readonly matched: number;
  /** Number of messages that the action changed. */
  readonly changed: number;
  /** Number of messages that needed no change. */
  readonly alreadyDone: number;
  /** Number of messages that failed: deleted meanwhile, or refused by the provider; `failures` lists them with reasons. */
  readonly failed: number;
  /** Number of messages of an interrupted run whose change was requested, and of which it is not known whether it was made. */
  readonly unknown?: number;
  /** Number of starred messages among `changed` and `alreadyDone`; null when the messages themselves were not read. */
  readonly starredCount: number | null;
  /** Number of messages marked important among `changed` and `alreadyDone`; null when the messages themselves were not read. */
  readonly importantCount: number | null;
  /** Number of messages that the search still finds after trashing or deleting; null after other actions. */
  readonly remaining: number | null;
}

/** The parts of a rule that a run needs. */
export interface RunningRule {
  readonly conditions: readonly RuleCondition[];
  readonly action: RuleAction;
}

interface Batch extends BatchProgress {
  ids: readonly string[];
  starred: readonly string[];
  important: readonly string[];
  /** Position of the batch's last match. */
  readonly last: number;
}

/** State that survives the process. It holds the rule as it was at the start, so that all of the run uses the same rule. */
interface RunState {
  readonly rule: RunningRule;
  /** Labels that the conditions name. */
  readonly labels: readonly NamedLabel[];
  readonly query: string;
  /** Instant from which ages count. */
  readonly startedAt: string;
  readonly isExact: boolean;
  readonly found: number;
  /** Position of the last match that is done. */
  after: number;
  batch: Batch | null;
  readonly counts: {
    skippedNotExact: number;
    changed: number;
    alreadyDone: number;
    failed: number;
    starred: number;
    important: number;
  };
  remaining: number | null;
}

export interface RunRuleServices {
  readonly provider: MailboxProvider;
  readonly labels: RuleLabels;
  readonly index: MessageIndexService;
  readonly actions: RuleActions;
  readonly matches: RuleMatchesRepository;
}

/**
 * One run of a rule. All messages are chosen before the first is changed, as pages shift while the mailbox changes. The choice
 * is stored, as a run that continues after a crash could not repeat it. Then, batch by batch, it checks the messages themselves
 * where the search is not exact, stores the batch, acts, and stores the outcome. See ADR 11.
 */
export class RunRuleRun {
  private state: RunState;

  /** @param runId id under which the run's matches are stored */
  constructor(
    private readonly account: ProviderAccount,
    private readonly rule: RunningRule,
    private readonly runId: string,
    private readonly job: JobContext,
    private readonly services: RunRuleServices,
  ) {}

  async run(): Promise<RuleRunResult> {
    this.state = this.job.savedCheckpoint<RunState>() ?? (await this.choose());
    this.job.report(this.result());
    if (this.state.batch) await this.dropChanged(this.state.batch);
    while (await this.prepareBatch()) await this.actOnBatch();
    await this.countRemaining();
    return this.result();
  }

  private async choose(): Promise<RunState> {
    const { conditions, action } = this.rule;
    const { matches } = this.services;
    const startedAt = new Date().toISOString();
    const labels = await this.services.labels.findLabels(
      this.account,
      { conditions, action },
      this.background(),
    );
    const named = findNamedLabels(conditions, labels);
    if (action.labelId !== undefined && !labels.findById(action.labelId)) throw new RuleLabelGone();
    const query = buildRuleQuery(conditions, labels);
    // Deletes pages that a lost attempt has stored: nothing has been done to their messages yet.
    await matches.delete(this.runId);
    let listed = 0;
    for await (const ids of this.listPages(query, conditions)) {
      await matches.append(this.runId, ids, listed);
      listed += ids.length;
      this.job.setTotal(listed);
      this.job.throwIfCancelled();
    }
    const found = await matches.deleteDuplicates(this.runId);
    this.job.setTotal(found);
    const state: RunState = {
      rule: { conditions, action },
      labels: named,
      query,
      startedAt,
      isExact: needsExactMatch({ conditions, action }, labels),
      found,
      after: -1,
      batch: null,
      counts: { skippedNotExact: 0, changed: 0, alreadyDone: 0, failed: 0, starred: 0, important: 0 },
      remaining: null,
    };
    await this.job.checkpoint(state);
    return state;
  }

  /** Prepares the next batch. @returns false when all matches have been processed */
  private async prepareBatch(): Promise<boolean> {
    this.job.throwIfCancelled();
    const { state } = this;
    if (state.batch) return true;
    const chosen = await this.services.matches.findNext(
      this.runId,
      state.after,
      this.services.provider.maxIdsPerChange,
    );
    const last = chosen.at(-1)?.position;
    if (last === undefined) return false;
    const ids = chosen.map(({ messageId }) => messageId);
    state.batch = state.isExact
      ? await this.findExactMatches(ids, last)
      : { ids, starred: [], important: [], last, failed: [], inner: null };
    return true;
  }

  /** The messages that meet the conditions exactly. */
  private async findExactMatches(ids: readonly string[], last: number): Promise<Batch> {
    const { index } = this.services;
    const { rule, labels, startedAt, counts, found } = this.state;
    const matches = createExactMatcher(rule.conditions, LabelLookup.of(labels), new Date(startedAt));
    // Fetching messages that are not indexed may take long: labels are read once all are there.
    for await (const batch of index.readMetadata(this.account, ids, this.background())) void batch;
    const missing = new Set(ids);
    const exact: string[] = [];
    const starred: string[] = [];
    const important: string[] = [];
    for await (const messages of index.readMetadata(this.account, ids, this.background())) {
      for (const message of messages) {
        missing.delete(message.id);
        if (!matches(message)) continue;
        exact.push(message.id);
        if (message.labelIds.includes('STARRED')) starred.push(message.id);
        if (message.labelIds.includes('IMPORTANT')) important.push(message.id);
      }
    }
    counts.skippedNotExact += ids.length - missing.size - exact.length;
    this.job.setTotal(found - counts.skippedNotExact);
    for (const id of missing) this.job.fail(id, 'message-not-found', 'The mailbox has no such message.');
    return { ids: exact, starred, important, last, failed: [...missing], inner: null };
  }

  /**
   * Drops messages from a batch of a lost attempt before it is trashed or deleted: that may have been long ago, and people may
   * have taken messages out of it since. Messages that the lost attempt itself changed stay in the batch, to be counted.
   */
  private async dropChanged(batch: Batch): Promise<void> {
    const { rule, labels, counts, found } = this.state;
    if (!isDestructive(rule.action.type) || (batch.inner && isUnderWay(batch.inner))) return;
    const { index } = this.services;
    await index.sync(this.account, this.background());
    const known = await index.findLabels(this.account.id, batch.ids);
    const isStill = createLabelMatcher(rule.conditions, LabelLookup.of(labels));
    const isKept = (id: string): boolean => {
      const labelIds = known.get(id);
      const isDone = rule.action.type === 'trash' && labelIds?.includes('TRASH');
      return labelIds === undefined || isDone === true || isStill(labelIds);
    };
    const kept = batch.ids.filter(isKept);
    counts.skippedNotExact += batch.ids.length - kept.length;
    this.job.setTotal(found - counts.skippedNotExact);
    batch.ids = kept;
    batch.starred = batch.starred.filter(isKept);
    batch.important = batch.important.filter(isKept);
  }

  private async actOnBatch(): Promise<void> {
    const { state, job } = this;
    const { rule, counts } = state;
    const batch = state.batch!;
    if (batch.ids.length > 0) {
      const context = new BatchContext(
        job,
        batch,
        () => job.checkpoint(state),
        (outcome) => job.report(this.resultSoFar(batch, outcome)),
      );
      const outcome = await this.services.actions.perform(
        this.account,
        rule.action,
        batch.ids,
        state.after + 1,
        context,
      );
      counts.changed += outcome.changed;
      counts.alreadyDone += outcome.alreadyDone;
    }
    const failed = new Set(batch.failed);
    const recordDone = (ids: readonly string[]): number => ids.filter((id) => !failed.has(id)).length;
    counts.failed += failed.size;
    counts.starred += recordDone(batch.starred);
    counts.important += recordDone(batch.important);
    state.after = batch.last;
    state.batch = null;
    job.report(this.result());
    await job.checkpoint(state);
  }

  /**
   * The result while a batch is in progress: the only record of the run if it is interrupted.
   * @param outcome of the batch up to now, as a bulk change or the archiver reports it
   */
  private resultSoFar(batch: Batch, outcome: Readonly<Record<string, unknown>>): RuleRunResult {
    const result = this.result();
    const changed = countIn(outcome, 'changed') + countIn(outcome, 'archived');
    const alreadyDone = countIn(outcome, 'alreadyDone') + countIn(outcome, 'skipped');
    const unknown = countIn(outcome, 'unknown');
    return {
      ...result,
      changed: result.changed + changed,
      alreadyDone: result.alreadyDone + alreadyDone,
      failed: result.failed + new Set(batch.failed).size,
      ...(unknown > 0 && { unknown }),
    };
  }

  /** Counts the messages that are still there, whatever the provider answered to the changes. */
  private async countRemaining(): Promise<void> {
    const { state } = this;
    if (!isDestructive(state.rule.action.type) || state.remaining !== null) return;
    let remaining = 0;
    for await (const ids of this.listPages(state.query, state.rule.conditions)) remaining += ids.length;
    state.remaining = remaining;
    await this.job.checkpoint(state);
  }

  private async *listPages(
    query: string,
    conditions: readonly RuleCondition[],
  ): AsyncGenerator<readonly string[]> {
    const includeSpamTrash = includesSpamTrash(conditions);
    yield* listMessageIds(this.services.provider, { query, includeSpamTrash }, this.background());
  }

  private result(): RuleRunResult {
    const { rule, query, found, counts, isExact, remaining } = this.state;
    const { skippedNotExact, changed, alreadyDone, failed, starred, important } = counts;
    return {
      action: rule.action.type,
      query,
      found,
      skippedNotExact,
      matched: found - skippedNotExact,
      changed,
      alreadyDone,
      failed,
      starredCount: isExact ? starred : null,
      importantCount: isExact ? important : null,
      remaining,
    };
  }

  private background(): CallOptions {
    return { priority: 'background', signal: this.job.signal };
  }
}

/** The labels that the conditions name. @throws RuleLabelGone */
function findNamedLabels(conditions: readonly RuleCondition[], labels: LabelLookup): NamedLabel[] {
  return conditions
    .filter(({ field }) => field === 'label')
    .map(({ value }) => {
      const label = labels.find(String(value));
      if (!label) throw new RuleLabelGone();
      return { id: label.id, name: label.name, type: label.type };
    });
}
